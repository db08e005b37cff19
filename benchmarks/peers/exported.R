# A set as the comparisons export it: sizes.txt holds "EXAMPLES FEATURES SPARSE", the other files its numbers, column by column.
exported <- function(folder) {
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
  list(x = x, y = y)
}
