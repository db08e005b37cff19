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
  group?: string[];
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
  score: number;
  sd: number;
  bias: number;
  others: number;
  added_by_others: number;
  largest: [name: number, value: number, added: number][];
  truth: number;
  label?: number;
  probability?: number;
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
  explained?: { names: string[]; rows: Explained[] };
}

export interface Page {
  version: string;
  task: string;
  kind: string;
  prior: string;
  sentence: string;
  labels: string[];
  target: string;
  examples: number;
  total: number;
  selected: number;
  bias: Num;
  bias_sd: Num;
  c: Num;
  settings: [name: string, value: string, meaning: string][];
  certificate: Certificate;
  features: Features;
  coefficients: { value: number[]; share: number[] };
  hard: { total: number; row: number[]; multiplier: number[] };
  data?: Data;
}
