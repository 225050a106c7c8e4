/**
 * Metrics at fixed places of an array of numbers. Whoever counts adds to a number, which costs a few nanoseconds; names
 * and labels are worked out when somebody reads. Several threads each have an array of the same layout, in memory that
 * all of them see: one writes it, and whoever reads adds them up, also while a thread is too busy to be asked.
 */
import type { MetricFamily, MetricSample } from "./MetricFamily.ts"

type Labels = Readonly<Record<string, string>>

/** What a family of metrics is, before its numbers have places. */
export interface BlockOptions {
  readonly name: string
  readonly help: string
  readonly type: MetricFamily["type"]
  /** What its numbers are told apart by. Each dimension is the labels of each of its values, in order. */
  readonly dimensions?: ReadonlyArray<ReadonlyArray<Labels>>
  /** What its numbers are before anything is counted; 0 unless told. What is not a number is left out. */
  readonly initial?: number
  /** The upper bounds of a histogram's buckets, ascending, without the last one, which has none. */
  readonly bounds?: ReadonlyArray<number>
  /** Whether each thread's numbers stand for themselves, under a label `thread`; added up unless told. */
  readonly byThread?: boolean
  /** Whether what was never counted is left out: for many combinations of which few occur. */
  readonly sparse?: boolean
}

/** A family, and where its numbers are. */
export interface MetricBlock extends BlockOptions {
  /** The place of its first number. */
  readonly start: number
  /** How many numbers one combination of its dimensions takes: of a histogram its buckets, and the sum. */
  readonly width: number
}

/** Deals out places in arrays of numbers. */
export class MetricLayout {
  private length = 0
  readonly blocks: Array<MetricBlock> = []

  /** Makes room for a family. */
  add(options: BlockOptions): MetricBlock {
    const width = options.bounds === undefined ? 1 : options.bounds.length + 2
    const block = { ...options, width, start: this.length }
    this.length += width * combinations(block)
    this.blocks.push(block)
    return block
  }

  /** The numbers of one thread, in memory that others can see, too. */
  makeNumbers(): Float64Array<SharedArrayBuffer> {
    const numbers = new Float64Array(new SharedArrayBuffer(this.length * Float64Array.BYTES_PER_ELEMENT))
    for (const block of this.blocks) {
      const { initial = 0, start, width } = block
      numbers.fill(initial, start, start + width * combinations(block))
    }
    return numbers
  }
}

const combinations = ({ dimensions = [] }: BlockOptions): number =>
  dimensions.reduce((product, { length }) => product * length, 1)

/** The numbers of one thread. */
export interface ThreadNumbers {
  readonly thread: string
  readonly numbers: Float64Array
}

/** Adds a value to a histogram, the one whose numbers begin at `start`. */
export const observeNumber = (
  numbers: Float64Array,
  start: number,
  bounds: ReadonlyArray<number>,
  value: number
): void => {
  let bucket = 0
  // Most are small, and so found at once.
  while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++
  addNumber(numbers, start + bucket, 1)
  addNumber(numbers, start + bounds.length + 1, value)
}

/** Adds a value to the number at a place. */
export const addNumber = (numbers: Float64Array, place: number, value: number): void => {
  numbers[place] = (numbers[place] as number) + value
}

/** What stands in the arrays of all threads now. */
export const familiesOf = (
  blocks: ReadonlyArray<MetricBlock>,
  threads: ReadonlyArray<ThreadNumbers>
): ReadonlyArray<MetricFamily> =>
  blocks.map((block) => ({
    name: block.name,
    help: block.help,
    type: block.type,
    samples: block.byThread
      ? threads.flatMap(({ numbers, thread }) => samplesOf(block, [numbers], { thread }))
      : samplesOf(
          block,
          threads.map(({ numbers }) => numbers),
          {}
        )
  }))

const samplesOf = (
  block: MetricBlock,
  arrays: ReadonlyArray<Float64Array>,
  common: Labels
): ReadonlyArray<MetricSample> => {
  const { bounds, dimensions = [], sparse = false, start, width } = block
  const samples: Array<MetricSample> = []
  for (let i = 0; i < combinations(block); i++) {
    const values = Array.from({ length: width }, (_, k) => sumAt(arrays, start + i * width + k))
    if (values.some(Number.isNaN) || (sparse && values.every((value) => value === 0))) continue
    const labels = { ...common, ...labelsAt(dimensions, i) }
    if (bounds === undefined) samples.push({ labels, value: values[0] as number })
    else samples.push(...histogramSamples(bounds, values, labels))
  }
  return samples
}

const sumAt = (arrays: ReadonlyArray<Float64Array>, place: number): number =>
  arrays.reduce((sum, numbers) => sum + (numbers[place] as number), 0)

/** The last dimension changes fastest. */
const labelsAt = (dimensions: ReadonlyArray<ReadonlyArray<Labels>>, index: number): Labels => {
  let rest = index
  let labels: Labels = {}
  for (const dimension of dimensions.toReversed()) {
    labels = { ...dimension[rest % dimension.length], ...labels }
    rest = Math.floor(rest / dimension.length)
  }
  return labels
}

/** The count is that of the buckets, so that the two agree also while another thread is counting. */
const histogramSamples = (
  bounds: ReadonlyArray<number>,
  values: ReadonlyArray<number>,
  labels: Labels
): ReadonlyArray<MetricSample> => {
  let count = 0
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, i): MetricSample => {
    count += values[i] as number
    return {
      suffix: "_bucket",
      labels: { ...labels, le: bound === Number.POSITIVE_INFINITY ? "+Inf" : String(bound) },
      value: count
    }
  })
  const sum = values[bounds.length + 1] as number
  return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: count }]
}
