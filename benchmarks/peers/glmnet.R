# glmnet as a peer: loads an exported set, says "ready", answers "fit C TOLERANCE" with "done SECONDS PASSES" and leaves
# its weights and bias in weights.f64. Its lambda is 1 / (T C): it divides the loss by the number of examples.
# "path COUNT TOLERANCE" fits its own sequence of COUNT lambdas.
suppressMessages(library(glmnet))
folder <- commandArgs(trailingOnly = TRUE)[1]
sizes <- scan(file.path(folder, "sizes.txt"), quiet = TRUE)
numbers <- function(name, what, size, count) readBin(file.path(folder, name), what, n = count, size = size)
y <- numbers("target.f64", "double", 8, sizes[1])
if (sizes[3] == 1) {
  starts <- numbers("starts.i32", "integer", 4, sizes[2] + 1)
  stored <- starts[length(starts)]
  x <- new("dgCMatrix", p = starts, i = numbers("rows.i32", "integer", 4, stored),
           x = numbers("values.f64", "double", 8, stored), Dim = as.integer(sizes[1:2]))
} else {
  x <- matrix(numbers("values.f64", "double", 8, sizes[1] * sizes[2]), sizes[1], sizes[2])
}
say <- function(...) { cat(..., "\n"); flush(stdout()) }
call <- function(tolerance, ...) glmnet(x, y, family = "binomial", standardize = FALSE, thresh = tolerance, maxit = 1e6, ...)

say("ready")
orders <- file("stdin", "r")
while (length(line <- readLines(orders, n = 1)) == 1) {
  words <- strsplit(line, " ")[[1]]
  value <- as.numeric(words[2])
  tolerance <- as.numeric(words[3])
  seconds <- system.time(fit <- tryCatch(
    if (words[1] == "fit") call(tolerance, lambda = 1 / (value * sizes[1])) else call(tolerance, nlambda = value),
    error = function(e) NULL, warning = function(w) NULL), gcFirst = TRUE)[["elapsed"]]
  if (is.null(fit)) { say("failed"); next }
  last <- length(fit$lambda)
  writeBin(c(as.numeric(fit$beta[, last]), fit$a0[[last]]), file.path(folder, "weights.f64"))
  say("done", format(seconds, digits = 6), fit$npasses)
}
