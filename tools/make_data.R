#!/usr/bin/env Rscript
# Rebuilds data/splice.csv and data/boston.csv, byte for byte, from Debian's r-cran-mlbench 2.1-3.
#
#   Rscript tools/make_data.R [FOLDER]      (FOLDER: where to write; data/ when left out)
#
# tools/check_data verifies the shipped files by their SHA-256.

folder <- commandArgs(trailingOnly = TRUE)
folder <- if (length(folder) > 0) folder[1] else "data"

# One line per row, fields joined by commas, LF at the end on every system.
write_rows <- function(table, name) {
  file <- file(file.path(folder, name), open = "wb")
  on.exit(close(file))
  lines <- c(paste(names(table), collapse = ","), do.call(paste, c(unname(table), sep = ",")))
  writeLines(lines, file, sep = "\n")
}

# Splice junctions: three bits a letter, A = 100, C = 010, G = 001, T = 000. The junction lies between p-1 and p+1.
splice <- function() {
  data(DNA, package = "mlbench", envir = environment())
  bits <- sapply(DNA[, 1:180], function(bit) as.integer(as.character(bit)))
  positions <- c(sprintf("p-%d", 30:1), sprintf("p+%d", 1:30))
  letter <- function(j) {
    triple <- bits[, 3 * j - (2:0)]
    stopifnot(all(rowSums(triple) <= 1))
    c("T", "A", "C", "G")[1 + as.vector(triple %*% 1:3)]
  }
  letters <- lapply(1:60, letter)
  names(letters) <- positions
  c(letters, list(class = toupper(as.character(DNA$Class))))
}

# Boston housing: the 506 tracts as published in 1978, target medv last. Fifteen digits show each number as published.
boston <- function() {
  data(BostonHousing, package = "mlbench", envir = environment())
  lapply(BostonHousing, function(column) {
    if (is.factor(column)) as.character(column) else format(column, digits = 15, trim = TRUE, drop0trailing = TRUE)
  })
}

write_rows(splice(), "splice.csv")
write_rows(boston(), "boston.csv")
