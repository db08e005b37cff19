# cv.glmnet as its users call it, with its defaults. It says "ready" and then answers orders "KIND FAMILY SEED FOLDER" one by
# one. KIND is plain or relax; FOLDER/fit is a set as exported.R reads it, and FOLDER/test the one to predict. The answer is
# "chosen NUMBERS" for lambda.min and for lambda.1se, then "done WALL PROCESSOR"; or "failed REASON". Predictions go to
# FOLDER/lambda.min.f64 and FOLDER/lambda.1se.f64: values, or probabilities class by class.
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "exported.R"))
suppressMessages(library(glmnet))

# Ten folds with their share of each class.
shares <- function(y, seed) {
  set.seed(seed)
  fold <- integer(length(y))
  order <- unlist(lapply(levels(y), function(class) { rows <- which(y == class); rows[sample.int(length(rows))] }))
  fold[order] <- rep(1:10, length.out = length(y))
  fold
}

answer <- function(kind, family, seed, folder) {
  set <- exported(file.path(folder, "fit"))
  test <- exported(file.path(folder, "test"))
  y <- if (family == "gaussian") set$y else factor(set$y)
  call <- function(...) { set.seed(seed); cv.glmnet(set$x, y, family = family, relax = kind == "relax", ...) }
  gc()
  start <- proc.time()
  # Relaxed fits of classes that are told apart end in an error without the path, and fits to a fold that leaves one example of
  # a class, or none, without folds that have their share of each class.
  attempts <- list(list(), list(foldid = if (is.factor(y)) shares(y, seed)))
  if (kind == "relax") attempts <- c(attempts[1], list(list(path = TRUE)), list(c(attempts[[2]], path = TRUE)))
  for (each in attempts) {
    model <- tryCatch(do.call(call, each), error = identity)
    if (!inherits(model, "error")) break
  }
  if (inherits(model, "error")) stop(model)
  spent <- proc.time() - start
  said <- character()
  for (s in c("lambda.min", "lambda.1se")) {
    chosen <- if (kind == "relax") list(s = model$relaxed[[s]], gamma = model$relaxed[[sub("lambda", "gamma", s)]])
              else list(s = model[[s]])
    weights <- do.call(coef, c(list(model), chosen))
    if (!is.list(weights)) weights <- list(weights)
    used <- Reduce(`|`, lapply(weights, function(each) as.vector(each)[-1] != 0))
    said <- c(said, paste("chosen", paste(which(used) - 1, collapse = " ")))
    type <- if (family == "gaussian") "link" else "response"
    values <- as.vector(do.call(predict, c(list(model, test$x, type = type), chosen)))
    if (family == "binomial") values <- c(1 - values, values)
    writeBin(as.numeric(values), file.path(folder, paste0(s, ".f64")))
  }
  c(said, paste("done", spent[["elapsed"]], spent[["user.self"]] + spent[["sys.self"]]))
}

cat("ready\n")
flush(stdout())
orders <- file("stdin", "r")
while (length(line <- readLines(orders, n = 1)) == 1) {
  words <- strsplit(line, " ")[[1]]
  folder <- sub("^(\\S+ ){3}", "", line)
  said <- tryCatch(suppressWarnings(answer(words[1], words[2], as.integer(words[3]), folder)),
                   error = function(e) paste("failed", gsub("\n", " ", conditionMessage(e))))
  writeLines(said)
  flush(stdout())
}
