/** What lookups, widget sessions and address searches cost, in credits, and how long a balance lasts. */
import { type AccessLevel, accessLevels, type Shown, shownLevel } from "../levels/AccessLevel.ts"

/** A level that may cost credits; level 1 is always free. */
export type PricedLevel = Exclude<AccessLevel, 1>

/** Whether a level may cost credits. */
export const isPriced = (level: AccessLevel): level is PricedLevel => level !== 1

/**
 * Prices in credits, whole and not negative. No level costs less than a lower one, because its answer contains the
 * lower one's.
 */
export interface PriceList {
  readonly lookup: Readonly<Record<PricedLevel, number>>
  readonly widget_session: number
  /** Of an answer with a code finer than an LGA. */
  readonly address_search: number
}

/** Level 5 costs as much as level 4, because the price is for the data, not for the required review. */
export const defaultPriceList: PriceList = {
  lookup: { 2: 1, 3: 2, 4: 3, 5: 3 },
  widget_session: 1,
  address_search: 1
}

/** The price of a level, in credits: the most that one unit costs there. */
export const lookupPrice = (prices: PriceList, level: AccessLevel): number =>
  isPriced(level) ? prices.lookup[level] : 0

/** The price of a result for one unit, in credits: that of the highest level with an attribute in the result. */
export const resultPrice = (prices: PriceList, result: Shown): number => lookupPrice(prices, shownLevel(result))

/**
 * Checks a price list before it is used: an invalid price would fail every request that it applies to.
 *
 * @throws RangeError that names the entry, if a price is not whole, is negative, or is less than that of a lower level
 */
export const assertPriceList = (prices: PriceList): void => {
  if (typeof prices?.lookup !== "object") {
    throw new RangeError("the price list: expected an object with lookup, widget_session and address_search")
  }
  for (const level of accessLevels) assertPrice(`lookup[${level}]`, lookupPrice(prices, level))
  assertPrice("widget_session", prices.widget_session)
  assertPrice("address_search", prices.address_search)
  const fall = priceFall(prices)
  if (fall !== undefined) throw new RangeError(`the price list: ${fall}; a higher level must not cost less`)
}

/** The first level that costs less than the one below it, in words; undefined if there is none. */
export const priceFall = (prices: PriceList): string | undefined => {
  for (const level of [3, 4, 5] as const) {
    const below = (level - 1) as PricedLevel
    const [price, priceBelow] = [lookupPrice(prices, level), lookupPrice(prices, below)]
    if (price < priceBelow) return `level ${level} costs ${price} and level ${below} costs ${priceBelow}`
  }
  return undefined
}

const assertPrice = (entry: string, price: unknown): void => {
  if (!Number.isSafeInteger(price) || Number(price) < 0) {
    throw new RangeError(`the price list, ${entry}: expected whole credits, 0 or more, found ${String(price)}`)
  }
}

/** Credits spent on a day; a day may have several parts. */
export interface DaySpending {
  /** Day in UTC, `2026-01-31`. */
  readonly date: string
  readonly credits: number
}

/**
 * The number of whole days for which a balance lasts at the average daily spending, from the first day with spending
 * until now. If that is less than one day, it counts as one.
 *
 * @param days the last 30 days including today, in any order; days may repeat, and days without spending may be missing
 * @param now_ms milliseconds since 1970
 * @returns undefined if nothing was spent
 * @example daysLeft(100, [{ date: "2026-01-30", credits: 15 }, { date: "2026-01-31", credits: 15 }],
 *   Date.parse("2026-01-31T12:00:00Z")) // 5: thirty in a day and a half are twenty a day
 */
export const daysLeft = (balance: number, days: ReadonlyArray<DaySpending>, now_ms: number): number | undefined => {
  let spent = 0
  let first = ""
  for (const { credits, date } of days) {
    if (credits === 0) continue
    spent += credits
    if (first === "" || date < first) first = date
  }
  if (spent === 0) return undefined
  const elapsed_days = Math.max(1, (now_ms - Date.parse(first)) / day_ms)
  return Math.max(0, Math.floor((balance * elapsed_days) / spent))
}

const day_ms = 86_400_000
