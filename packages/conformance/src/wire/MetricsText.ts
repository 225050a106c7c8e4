/** A strict parser of the text format of Prometheus. */

/** The families of a text by name. */
export type ReadMetrics = ReadonlyMap<string, ReadFamily>

/** A parsed family. */
export interface ReadFamily {
  readonly name: string
  readonly help: string
  readonly type: string
  /** By name and labels as in the text: `x_total{a="b"}`. */
  readonly samples: ReadonlyMap<string, number>
}

/**
 * Every line must be a HELP, a TYPE or a sample. A family occurs once: HELP, TYPE, then its samples, which are unique.
 * Names, units and histograms must follow the rules of Prometheus.
 *
 * @throws Error that quotes the first invalid line
 */
export const readMetrics = (text: string): ReadMetrics => {
  if (!text.endsWith("\n")) throw new Error("the last line has no end")
  const families = new Map<string, Growing>()
  let family: Growing | undefined
  let help: RegExpExecArray | null = null
  for (const line of text.slice(0, -1).split("\n")) {
    const wrong = (why: string) => new Error(`${why}: ${line}`)
    if (line.startsWith("# HELP ")) {
      if (help !== null) throw wrong("a HELP without a TYPE stands before")
      help = /^# HELP ([a-z][a-z0-9_]*) (\S.*\.)$/.exec(line)
      if (help === null) throw wrong("no HELP")
      if (families.has(help[1] as string)) throw wrong("the family was there before")
    } else if (line.startsWith("# TYPE ")) {
      const [, name, type] = /^# TYPE ([a-z][a-z0-9_]*) (counter|gauge|histogram)$/.exec(line) ?? []
      if (name === undefined || type === undefined || help === null || help[1] !== name) throw wrong("no TYPE")
      if (name.endsWith("_total") !== (type === "counter")) throw wrong("the name does not fit the type")
      family = { name, help: help[2] as string, type, samples: new Map() }
      families.set(name, family)
      help = null
    } else {
      if (family === undefined || help !== null) throw wrong("a sample without a family")
      readSample(line, family)
    }
  }
  for (const read of families.values()) {
    if (read.samples.size === 0) throw new Error(`no sample of ${read.name}`)
    if (read.type === "histogram") assertHistogram(read)
  }
  return families
}

type Growing = ReadFamily & { readonly samples: Map<string, number> }

const label = '[a-z_]+="(?:[^"\\\\\\n]|\\\\["\\\\n])+"'
const sampleLine = new RegExp(`^([a-z][a-z0-9_]*)(\\{${label}(?:,${label})*\\})? (\\S+)$`)

const readSample = (line: string, family: Growing): void => {
  const [, name, labels = "", value = ""] = sampleLine.exec(line) ?? []
  const suffixes = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""]
  if (!suffixes.some((suffix) => name === family.name + suffix)) throw new Error(`no sample of ${family.name}: ${line}`)
  const names = [...labels.matchAll(/[{,]([a-z_]+)=/g)].map(([, label]) => label)
  if (new Set(names).size !== names.length) throw new Error(`a label comes twice: ${line}`)
  const number = Number(value)
  if (!Number.isFinite(number) || (family.type !== "gauge" && number < 0)) throw new Error(`no number: ${line}`)
  const key = `${name}${labels}`
  if (family.samples.has(key)) throw new Error(`the sample was there before: ${line}`)
  family.samples.set(key, number)
}

/** Bounds and counts of buckets increase up to `+Inf`, whose bucket equals the count. */
const assertHistogram = ({ name, samples }: ReadFamily): void => {
  const buckets = new Map<string, Array<readonly [bound: number, count: number]>>()
  for (const [key, value] of samples) {
    if (!key.startsWith(`${name}_bucket`)) continue
    const [, others = "", bound = ""] = /\{(.*?),?le="([^"]+)"\}$/.exec(key) ?? []
    const of = others === "" ? "" : `{${others}}`
    buckets.set(of, [...(buckets.get(of) ?? []), [bound === "+Inf" ? Number.POSITIVE_INFINITY : Number(bound), value]])
  }
  for (const [labels, of] of buckets) {
    const rises = of.every(([bound, count], i) => {
      const [lower, fewer] = of[i - 1] ?? [Number.NEGATIVE_INFINITY, 0]
      return bound > lower && count >= fewer
    })
    const [bound, count] = of.at(-1) ?? [0, 0]
    if (!rises || bound !== Number.POSITIVE_INFINITY)
      throw new Error(`the buckets of ${name}${labels} do not rise to +Inf`)
    if (samples.get(`${name}_count${labels}`) !== count) throw new Error(`${name}_count${labels} is not that of +Inf`)
    if (samples.get(`${name}_sum${labels}`) === undefined) throw new Error(`${name}_sum${labels} is missing`)
  }
  const parts = [...buckets.values()].reduce((sum, { length }) => sum + length + 2, 0)
  if (parts !== samples.size) throw new Error(`${name} has samples that belong to no buckets`)
}
