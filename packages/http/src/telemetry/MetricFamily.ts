/** Metrics as Prometheus reads them: families of samples, and their text. */

/** One number, and what it is of. A label with an empty value is as good as none, and is left out. */
export interface MetricSample {
  /** What stands behind the family's name, of the parts of a histogram. */
  readonly suffix?: "_bucket" | "_count" | "_sum"
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface MetricFamily {
  /** Its last word but `total` is its unit, in base units: `…_seconds`, `…_bytes`, `…_seconds_total`. */
  readonly name: string
  /** What it is, in one line of plain text. */
  readonly help: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly samples: ReadonlyArray<MetricSample>
}

/** The content type of `metricsText`. */
export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8"

/** The families in the text format 0.0.4 of Prometheus. Those without a sample are left out. */
export const metricsText = (families: Iterable<MetricFamily>): string => {
  let text = ""
  for (const { help, name, samples, type } of families) {
    if (samples.length === 0) continue
    text += `# HELP ${name} ${help.replace(/\\/g, "\\\\").replace(/\n/g, "\\n")}\n# TYPE ${name} ${type}\n`
    for (const { labels, suffix = "", value } of samples) {
      text += `${name}${suffix}${labelsText(labels)} ${valueText(value)}\n`
    }
  }
  return text
}

const labelsText = (labels: Readonly<Record<string, string>>): string => {
  const texts = Object.entries(labels).flatMap(([name, value]) => (value === "" ? [] : `${name}="${escaped(value)}"`))
  return texts.length === 0 ? "" : `{${texts.join(",")}}`
}

const escaped = (value: string): string => value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n")

const valueText = (value: number): string => {
  if (value === Number.POSITIVE_INFINITY) return "+Inf"
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value)
}
