# glmnet as a peer: loads an exported set, says "ready", answers "fit C TOLERANCE" with "done SECONDS PASSES" or
# "failed REASON" and leaves its weights and bias in weights.f64. Its lambda is 1 / (T C): it divides the loss by the number of examples.
# "path COUNT TOLERANCE" fits its own sequence of COUNT lambdas.
suppressMessages(library(glmnet))
folder <- commandArgs(trailingOnly = TRUE)[1]
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "exported.R"))
set <- exported(folder)
x <- set$x
y <- set$y
say <- function(...) { cat(..., "\n"); flush(stdout()) }
call <- function(tolerance, ...) glmnet(x, y, family = "binomial", standardize = FALSE, thresh = tolerance, maxit = 1e6, ...)

say("ready")
orders <- file("stdin", "r")
while (length(line <- readLines(orders, n = 1)) == 1) {
  words <- strsplit(line, " ")[[1]]
  value <- as.numeric(words[2])
  tolerance <- as.numeric(words[3])
  told <- character()
  gc()
  start <- Sys.time()
  fit <- tryCatch(withCallingHandlers(
    if (words[1] == "fit") call(tolerance, lambda = 1 / (value * length(y))) else call(tolerance, nlambda = value),
    warning = function(w) { told <<- c(told, conditionMessage(w)); invokeRestart("muffleWarning") }),
    error = function(e) { told <<- c(told, conditionMessage(e)); NULL })
  seconds <- as.numeric(Sys.time() - start, units = "secs")
  last <- length(fit$lambda)
  if (is.null(fit) || last == 0 || ncol(fit$beta) == 0) { say("failed", gsub("\n", " ", paste(told, collapse = "; "))); next }
  writeBin(c(as.numeric(fit$beta[, last]), fit$a0[[last]]), file.path(folder, "weights.f64"))
  cut <- any(grepl("not reached|maxit", told))
  cat("done ", format(seconds, digits = 6), " ", fit$npasses, if (cut) " exhausted", "\n", sep = "")
  flush(stdout())
}
