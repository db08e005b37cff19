// The numbers that Medlar puts into the page (src/medlar/report/page_data.hpp). null: undefined or infinite.

export type Num = number | null;

export interface Certificate {
  status: string;
  message: string;
  solver: string;
  why: string;
  objective: Num;
  primal: Num;
  gap: Num;
  relative_gap: Num;
  tolerance: Num;
  iterations: number;
  passes: number;
  seconds: Num;
  trace: { seconds: Num[]; objective: Num[]; primal: Num[]; relative_gap: Num[] };
}

export interface Features {
  name: string[];
  inclusion: number[];
  coefficient: number[];
  sd: number[];
  listed?: (number | null)[]; // the coefficient in the list of a tuned model; null outside it
  group?: string[];
  kept?: boolean[]; // covariates that stay in
  favours?: string[]; // more than two classes: the label of the largest coefficient
  stability?: number[];
  selected: boolean[];
  knockoff?: number[]; // how far a feature is ahead of its copy
  probability?: number[]; // that the feature matters, by draws of copies
}

export interface Cluster {
  inclusion: number;
  coefficient: Num;
  size: number;
  members: string[]; // the first of them
}

export interface Trust {
  stability?: {
    refits: number;
    share: number;
    top: number;
    different: number; // features that vary and differ from each other
    threshold: number;
    stable: number;
    false_bound: Num;
  };
  discoveries?: {
    fdr: number;
    construction: string;
    threshold: Num;
    discovered: number;
    fewest: number; // that the rate allows, unless there are none
    draws?: number;
    expected?: number;
    units?: number; // levels of a category, and columns that are the same, count as one
  };
  clusters?: { correlation: number; total: number; list: Cluster[] };
}

export interface Thresholds {
  own: number; // which of them the model itself uses
  threshold: Num[];
  true_positive: number[];
  false_positive: number[];
  true_positive_rate: Num[];
  false_positive_rate: Num[];
  precision: Num[];
}

export interface CalibrationBin {
  low: number;
  high: number;
  examples: number;
  predicted: number;
  observed: number;
  standard_error: number;
}

// Of examples left out: error is the mean distance of observed from predicted shares (ECE).
export interface Reliability {
  brier: Num;
  log_loss: Num;
  error: Num;
  bins: CalibrationBin[];
}

// The probabilities are by a curve over the scores.
export interface Recalibration {
  kind: string; // platt, isotonic
  folds: number;
  before: Reliability;
  after: Reliability;
}

export interface TwoClasses {
  metrics: Record<string, Num>;
  confusion: { true_positive: number; false_positive: number; true_negative: number; false_negative: number };
  thresholds: Thresholds;
  calibration: CalibrationBin[];
  scores: { low: number; high: number; negative: number[]; positive: number[] };
}

// More than two classes; the table of confusion by truth, then by prediction.
export interface ManyClasses {
  metrics: Record<string, Num>;
  confusion: number[][];
}

export interface Regression {
  metrics: Record<string, Num>;
  epsilon: number;
  truth: number[];
  predicted: number[];
}

export interface Explained {
  row: number;
  line?: number;
  score: number; // of more than two classes the lead over the rival
  sd?: number;
  rival?: number;
  bias: number;
  others: number;
  added_by_others: number;
  largest: [name: number, value: Num, added: number][];
  truth?: number; // none without a target
  label?: number;
  probability?: number;
}

// Scores of an anomaly detector in equal parts from low to high; what lies below low is counted in the first.
export interface Anomaly {
  threshold: number;
  alpha: number;
  odd: number;
  scores: { low: number; high: number; below: number; normal: number[]; odd: number[] };
}

// A sequence over time: its channels, the probability of each state, and what a unit of each channel adds.
export interface Aligned {
  row: number;
  score: number;
  label: number;
  time: number[];
  signal: number[][];
  state: number[][];
  weight?: number[][];
}

export interface Alignment {
  states: number;
  path: string;
  channels: string[];
  sequences: Aligned[];
}

export interface Shift {
  down: number;
  right: number;
  turn: number;
  probability: number;
}

export interface Data {
  source: string;
  examples: number;
  left_out: number;
  weighted: boolean;
  notes: string[];
  two_classes?: TwoClasses;
  many_classes?: ManyClasses;
  regression?: Regression;
  anomaly?: Anomaly;
  explained?: { names: string[]; rows: Explained[] };
  latent?: { alignment?: Alignment; shifts?: Shift[] };
}

export interface Candidate {
  p0: number;
  c: Num;
  prior_variance: Num;
  kept: Num;
  margin?: string; // if not that of the settings
  competes: boolean; // else it is fitted for the list alone
  ranking?: { p0: number; prior_variance: Num }; // of the fit that chose which to keep
  mean: Num;
  standard_error: Num;
  selected: number;
  converged: boolean;
  dropped: boolean; // by the race, after as many folds as were measured
  measured: number;
}

export interface Tuning {
  metric: string;
  higher_is_better: boolean;
  folds: number;
  repeats: number;
  best: number;
  chosen: number;
  candidates: Candidate[];
}

export interface PathStep {
  value: number;
  selected: number;
  support: number;
  status: string;
  relative_gap: Num;
  largest: [name: number, inclusion: number, coefficient: number][]; // of those selected
}

export interface Path {
  over: string;
  features: number;
  complete: boolean;
  names: string[];
  steps: PathStep[];
  drawn: { name: number; inclusion: number[]; coefficient: number[] }[];
}

// The most probable tree of each label.
export interface Trees {
  variables: string[];
  edges: [from: number, to: number, probability: number][][];
}

export interface Template {
  kind: string;
  height: number;
  width: number;
  reach: number;
  rotation: number;
  mean: Num[]; // empty: every transformation is as likely as another
  variance: Num;
  coefficients?: Num[];
}

export interface Page {
  version: string;
  task: string;
  kind: string;
  prior: string;
  selects: boolean; // features can be left out
  sentence: string;
  labels: string[];
  target: string;
  examples: number;
  total: number;
  selected: number;
  selected_by: "knockoffs" | "stability" | "list" | "evidence" | "inclusion";
  verdict: string[]; // what left-out examples say of predictor and list
  bias: Num;
  bias_sd: Num;
  c: Num;
  settings: [name: string, value: string, meaning: string][];
  certificate: Certificate;
  features: Features;
  coefficients: { value: number[]; share: number[] };
  hard: { total: number; row: number[]; multiplier: number[] };
  tuning?: Tuning;
  recalibration?: Recalibration;
  trust?: Trust;
  path?: Path;
  trees?: Trees;
  template?: Template;
  data?: Data;
}
