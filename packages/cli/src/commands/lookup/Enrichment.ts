/** What `postcode enrich` adds to the rows of a file. */
import type { CsvValue } from "@postcode/core/Csv"
import type { PriceList } from "@postcode/core/Prices"

/** A way to enrich rows: what is asked for each, and what is added to it. */
export interface Enrichment<Item> {
  /** The names of the added columns. */
  readonly columns: ReadonlyArray<string>
  /** The statuses of rows, in the order in which they are reported. */
  readonly statuses: ReadonlyArray<string>
  /**
   * Reads the first row of a file, and returns how its rows are read.
   *
   * @throws CommandFailure if the columns are not found
   */
  readonly start: (first: ReadonlyArray<string>, noHeader: boolean) => RowReading<Item>
  /** Asks the service for up to `maxBatch` items. A repeated request with the same key is not charged again. */
  readonly ask: (items: ReadonlyArray<Item>, options: AskOptions) => Promise<Asked>
  /** What one item costs at most. One that repeats within a batch costs nothing. Undefined: all are free. */
  readonly price: ((prices: Prices) => number) | undefined
  /** The number of different items. */
  readonly distinct: (items: ReadonlyArray<Item>) => number
  /** The outcome of a row that nothing is asked for. */
  readonly mistake: (reason: string) => Outcome
}

/** How the rows of a file are read. */
export interface RowReading<Item> {
  readonly read: (fields: ReadonlyArray<string>) => Read<Item>
  /** The column without which a row is none; undefined if any text may be an item. */
  readonly key: number | undefined
}

/** The item of a row, or why there is none. */
export type Read<Item> = { readonly item: Item } | { readonly reason: string }

/** What the service charges for requests of the command. */
export type Prices = Pick<PriceList, "address_search" | "lookup">

export interface AskOptions {
  readonly prices: Prices
  readonly idempotencyKey: string
  readonly requestId: string
  readonly signal: AbortSignal
}

/** The response to a batch. */
export interface Asked {
  /** One for each item, in order. */
  readonly outcomes: ReadonlyArray<Outcome>
  /** Undefined if the request was not metered. */
  readonly credits: { readonly charged: number; readonly remaining: number } | undefined
  /** The price of the outcomes; 0 if the request was not metered. */
  readonly listPrice: number
  /** What the user should know of the answer; shown once. */
  readonly notice: string | undefined
}

/** The result of a row. */
export interface Outcome {
  readonly status: string
  /** One for each added column. */
  readonly fields: ReadonlyArray<CsvValue>
}
