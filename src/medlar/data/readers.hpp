// One reader per format. Each takes the opened input and gives a dataset; read_dataset chooses and finishes.
#pragma once

#include "medlar/data/bytes/input.hpp"
#include "medlar/data/text_blocks.hpp"
#include "medlar/io.hpp"

namespace medlar {

Dataset read_svmlight(Input& input, const ReadOptions& options, std::size_t block_size = text_block_size);
// delimiter as in the options; tab for "tsv"
Dataset read_csv(Input& input, const ReadOptions& options, std::size_t block_size = text_block_size);
Dataset read_ts(Input& input, const ReadOptions& options);
Dataset read_npy(Input& input, const ReadOptions& options);

}  // namespace medlar
