// The whole public interface.
#pragma once

#include "medlar/anomaly.hpp"
#include "medlar/cross_validate.hpp"
#include "medlar/dataset.hpp"
#include "medlar/error.hpp"
#include "medlar/explain.hpp"
#include "medlar/fit.hpp"
#include "medlar/html.hpp"
#include "medlar/io.hpp"
#include "medlar/matrix.hpp"
#include "medlar/metrics.hpp"
#include "medlar/model.hpp"
#include "medlar/observer.hpp"
#include "medlar/path.hpp"
#include "medlar/report.hpp"
#include "medlar/settings.hpp"
#include "medlar/types.hpp"
