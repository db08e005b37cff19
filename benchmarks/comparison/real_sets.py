"""Real data sets by name: the file that holds each, and the options of `medlar train` that it needs.

The files are looked for in the folder given by --data; one that is missing is said and skipped.
"""

import os

# name: (file, options); a set with many labels sets some of them against the rest
SETS = {
    "splice": ("splice_libsvm_train_1000x60_scaled.libsvm", ""),
    "promoter": ("promotergene.csv", ""),
    "heart": ("heart_scale.libsvm", ""),
    "german": ("german.numer.libsvm", "--scale none"),
    "german_scale": ("german.numer_scale.libsvm", ""),
    "breast": ("breast-cancer.libsvm", ""),
    "wisconsin": ("breast_cancer_wisconsin.csv", "--ignore Id --missing mean"),
    "wdbc": ("sklearn_wdbc.csv", ""),
    "sonar": ("sonar.csv", ""),
    "ionosphere": ("ionosphere.csv", ""),
    "pima": ("pima_diabetes.csv", ""),
    "spambase": ("spambase.csv", ""),
    "mushrooms": ("mushrooms.libsvm", ""),
    "a9a": ("a9a.libsvm.xz", ""),
    "colon": ("colon_alon_62x2000.csv.gz", ""),
    "golub": ("golub_leukemia_train_38x7129.csv.gz", "--target class --ignore sample"),
    "srbct": ("srbct_khan_train_63x2308.csv.gz", "--positive 1"),
    "nci60": ("nci60_64x6830.csv.gz", "--positive RENAL"),
    "nci9": ("nci9_discretised_60x9712.csv.gz", "--positive 1"),
    "arcene": ("arcene_train.data.xz", "--target-file {dir}/arcene_train.labels"),
    "madelon": ("madelon_train.data.xz", "--target-file {dir}/madelon_train.labels"),
    "dorothea": ("dorothea_train_800x88119.libsvm.xz", ""),
    "basehock": ("basehock.libsvm.xz", ""),
    "rcv1": ("rcv1_small_train_1000.libsvm.xz", ""),
    "20news_w100": ("20news_w100_16242x100.libsvm.xz", "--positive 1"),
    "20news_w1000": ("20news_w1000_train_11256x1000.libsvm.xz", "--positive 1"),
    "news20": ("news20_multiclass_15935x62061.libsvm.xz", "--positive 1,2,3,4,5,6,7,8,9,10"),
    "news20_unit": ("news20_multiclass_15935x62061.libsvm.xz", "--positive 1,2,3,4,5,6,7,8,9,10"),
    "covtype": ("covtype_kaggle_train_15120.csv.xz", "--ignore Id --positive 1"),
    "letter": ("letter_recognition.csv", "--target lettr --positive A"),
    "shuttle": ("shuttle.csv.gz", "--positive Rad.Flow"),
    "usps": ("usps_train_7291x256.csv.xz", "--target x1 --positive 0"),
    "digits": ("sklearn_digits.csv", "--positive 0"),
    "boston": ("boston_housing.csv", ""),
    "housing_scale": ("housing_scale.libsvm", ""),
    "diabetes": ("sklearn_diabetes.csv", ""),
    "abalone": ("abalone.csv", ""),
    "california": ("california_housing.csv", ""),
}


# Of word counts, the rows are mostly brought to length 1.
UNIT_ROWS = ["news20_unit"]


def path_of(name, folder):
    return os.path.join(folder, SETS[name][0])


def options_of(name, folder):
    """As a list of words for the command line."""
    return SETS[name][1].format(dir=folder).split()


def spec_of(name, folder):
    """As the program bench-fits reads it."""
    words = options_of(name, folder)
    pairs = {words[k][2:]: words[k + 1] for k in range(0, len(words), 2)}
    spec = {"name": name, "file": path_of(name, folder), "positive": pairs.pop("positive", "")}
    pairs.pop("scale", None)  # the comparison scales dense sets and leaves sparse ones
    spec["read"] = pairs
    spec["unit_rows"] = name in UNIT_ROWS
    return spec
