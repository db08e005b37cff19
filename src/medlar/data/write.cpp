// write_dataset: features as columns, the target last; numbers in the shortest form that reads back to the same bits.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <numeric>

#include "medlar/data/bytes/format.hpp"
#include "medlar/data/bytes/output.hpp"
#include "medlar/data/text.hpp"
#include "medlar/error.hpp"
#include "medlar/io.hpp"

namespace medlar {
namespace {

void append_number(std::string& text, double value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_cell(std::string& text, std::string_view cell, char delimiter) {
  const bool plain = cell.find_first_of("\"\r\n") == std::string_view::npos &&
                     cell.find(delimiter) == std::string_view::npos && trim(cell) == cell && !cell.empty();
  if (plain) {
    text += cell;
    return;
  }
  text += '"';
  for (const char c : cell) text.append(c == '"' ? 2 : 1, c);
  text += '"';
}

// A name for a column that is no feature: the one it had, or a new one.
std::string free_name(const Dataset& data, const std::string& wanted, const char* otherwise) {
  std::string name = wanted.empty() ? otherwise : wanted;
  while (std::find(data.names.begin(), data.names.end(), name) != data.names.end()) name += '_';
  return name;
}

bool has_target(const Dataset& data, Index t) {
  const auto row = static_cast<std::size_t>(t);
  return data.target.present &&
         (data.target.numeric ? !std::isnan(data.target.values[row]) : data.target.codes[row] >= 0);
}

const std::string& label(const Dataset& data, Index t) {
  return data.target.labels[static_cast<std::size_t>(data.target.codes[static_cast<std::size_t>(t)])];
}

void write_csv(Output& out, const Dataset& data, char delimiter) {
  std::string text;
  for (const std::string& name : data.names) {
    append_cell(text, name, delimiter);
    text += delimiter;
  }
  if (!data.weights.empty()) {
    append_cell(text, free_name(data, data.schema.weights, "weight"), delimiter);
    text += delimiter;
  }
  if (data.target.present) {
    append_cell(text, free_name(data, data.schema.target, "target"), delimiter);
    text += delimiter;
  }
  text.back() = '\n';
  std::vector<double> row(static_cast<std::size_t>(data.features()));
  for (Index t = 0; t < data.examples(); ++t) {
    std::fill(row.begin(), row.end(), 0.0);
    for_each(data.x.row(t), [&](Index i, double value) { row[static_cast<std::size_t>(i)] = value; });
    for (const double value : row) {
      append_number(text, value);
      text += delimiter;
    }
    if (!data.weights.empty()) {
      append_number(text, data.weights[static_cast<std::size_t>(t)]);
      text += delimiter;
    }
    if (data.target.present) {
      if (has_target(data, t)) {
        if (data.target.numeric) {
          append_number(text, data.target.values[static_cast<std::size_t>(t)]);
        } else {
          append_cell(text, label(data, t), delimiter);
        }
      }
      text += delimiter;
    }
    text.back() = '\n';
    out.write(text);
    text.clear();
  }
}

// Where names are increasing indices, those of a file that svmlight was converted to, say, they are kept.
std::vector<Index> indices_of(const Dataset& data) {
  std::vector<Index> indices;
  Index previous = 0;
  for (const std::string& name : data.names) {
    const auto index = index_named(name);
    if (!index || *index <= previous) break;
    indices.push_back(previous = *index);
  }
  if (indices.size() == data.names.size()) return indices;
  indices.resize(data.names.size());
  std::iota(indices.begin(), indices.end(), Index{1});
  return indices;
}

void write_svmlight(Output& out, const Dataset& data) {
  std::string text;
  const std::vector<Index> indices = indices_of(data);
  for (Index t = 0; t < data.examples(); ++t) {
    text.clear();
    if (!has_target(data, t)) {
      text += "nan";
    } else if (data.target.numeric) {
      append_number(text, data.target.values[static_cast<std::size_t>(t)]);
    } else {
      text += label(data, t);
    }
    for_each(data.x.row(t), [&](Index i, double value) {
      if (value == 0) return;
      text += ' ';
      text += std::to_string(indices[static_cast<std::size_t>(i)]);
      text += ':';
      append_number(text, value);
    });
    text += '\n';
    out.write(text);
  }
}

void check_svmlight(const std::string& path, const Dataset& data) {
  if (!data.weights.empty()) throw DataError(path + ": svmlight files cannot hold example weights; write csv instead");
  for (const std::string& text : data.target.labels) {
    if (text.find_first_of(" \t\r\n\v\f:#") != std::string::npos) {
      throw DataError(fmt::format(
          "{}: svmlight files cannot hold the label '{}', because of its spaces or signs; write csv instead", path,
          shown(text)));
    }
  }
}

void write_npy(Output& out, const Dataset& data) {
  const Index columns = data.features() + (data.target.present ? 1 : 0);
  std::string header = fmt::format("{{'descr': '{}f8', 'fortran_order': False, 'shape': ({}, {}), }}",
                                   std::endian::native == std::endian::little ? '<' : '>', data.examples(), columns);
  header.append(64 - (10 + header.size() + 1) % 64, ' ');  // numbers start at a multiple of 64 bytes
  header += '\n';
  const auto length = static_cast<unsigned>(header.size());
  out.write(std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length & 0xff) + static_cast<char>(length >> 8) +
            header);
  std::vector<double> row(static_cast<std::size_t>(columns));
  for (Index t = 0; t < data.examples(); ++t) {
    std::fill(row.begin(), row.end(), 0.0);
    for_each(data.x.row(t), [&](Index i, double value) { row[static_cast<std::size_t>(i)] = value; });
    if (data.target.present) row.back() = data.target.values[static_cast<std::size_t>(t)];
    out.write({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double)});
  }
}

void check_npy(const std::string& path, const Dataset& data) {
  if (!data.weights.empty()) throw DataError(path + ": npy files cannot hold example weights; write csv instead");
  if (data.target.present && !data.target.numeric) {
    throw DataError(
        fmt::format("{}: npy files hold numbers only, but the target is text such as '{}'; write csv instead", path,
                    shown(data.target.labels.front())));
  }
}

}  // namespace

void write_dataset(const std::string& path, const Dataset& data) {
  FileKind kind = kind_by_name(path);
  if (path == "-" || path == "/dev/stdout") kind.format = "csv";
  if (kind.format.empty()) {
    throw OptionError(
        fmt::format("{}: the name does not say the format; end it in .csv, .tsv, .svm or .npy, and .gz, .xz, .zst or "
                    ".bz2 to compress",
                    path));
  }
  if (kind.format == "svmlight") check_svmlight(path, data);
  if (kind.format == "npy") check_npy(path, data);
  Output out(path, kind.compression);
  if (kind.format == "svmlight") {
    write_svmlight(out, data);
  } else if (kind.format == "npy") {
    write_npy(out, data);
  } else {
    write_csv(out, data, kind.format == "tsv" ? '\t' : ',');
  }
  out.finish();
}

}  // namespace medlar
