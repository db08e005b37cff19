// The exhibits of the paper, one function each.
#pragma once

#include "medlar/error.hpp"
#include "medlar/paper.hpp"

namespace medlar {

// Each throws Interrupted if the observer asks to stop.
void check_observer(Observer* observer);

Exhibit classification_margins(const PaperOptions& options, Observer* observer);  // figure 1
Exhibit regression_margins(const PaperOptions& options, Observer* observer);      // figure 2
Exhibit sinc(const PaperOptions& options, Observer* observer);                    // figure 3
Exhibit switch_prior(const PaperOptions& options, Observer* observer);            // figure 4
Exhibit shrinkage(const PaperOptions& options, Observer* observer);               // figure 5
Exhibit splice_linear(const PaperOptions& options, Observer* observer);           // figure 6
Exhibit splice_weights(const PaperOptions& options, Observer* observer);          // figure 7
Exhibit splice_quadratic(const PaperOptions& options, Observer* observer);        // figure 8
Exhibit boston_weights(const PaperOptions& options, Observer* observer);          // figure 9
Exhibit boston_losses(const PaperOptions& options, Observer* observer);           // table 1
Exhibit gene_losses(const PaperOptions& options, Observer* observer);             // table 2

}  // namespace medlar
