/** Checks the entries of accounts, in the order of their numbers: no gap, no repetition, each balance the sum so far. */

/** An account after some of its entries. */
export interface AccountSum {
  /** The number of its last entry; 0 before the first. */
  readonly number: number
  readonly balance: number
  /** Its grants and corrections so far. */
  readonly references: number
}

/** The account at the end of a month in which it has entries. */
export interface Closing {
  /** Organization and environment, see `accountName`. */
  readonly account: string
  readonly entries: number
  readonly sum: number
  readonly last_number: number
  readonly balance: number
}

/** A line of an archive: one entry as JSON. */
interface EntryLine {
  readonly organization_id: string
  readonly environment: string
  readonly number: number
  readonly amount: number
  readonly reason: string
  readonly balance_after: number
  /** ISO 8601, in UTC. */
  readonly created_at: string
}

export const accountName = (organization_id: string, environment: string): string => `${organization_id} ${environment}`

const unopened: AccountSum = { number: 0, balance: 0, references: 0 }

export class EntryCheck {
  /** The accounts after the entries so far. */
  accounts: Map<string, AccountSum>
  /** What is wrong: the first few. */
  readonly problems: Array<string> = []
  /** The number of entries so far. */
  entries = 0
  private month = ""
  private before = new Map<string, AccountSum>()

  constructor(accounts: Map<string, AccountSum>) {
    this.accounts = accounts
  }

  startMonth(month: string): void {
    this.month = month
    this.before = new Map()
  }

  /** Checks the next entry, as a line of an archive. */
  add(line: string): void {
    const entry = parseLine(line)
    this.entries++
    if (entry === undefined) {
      this.report("a line is no entry")
      return
    }
    const { amount, balance_after, created_at, environment, number, organization_id, reason } = entry
    const account = accountName(organization_id, environment)
    const former = this.accounts.get(account) ?? unopened
    if (!this.before.has(account)) this.before.set(account, former)
    const balance = former.balance + amount
    const name = `${account}, entry ${number}`
    if (number !== former.number + 1) this.report(`${name}: expected entry ${former.number + 1}`)
    if (balance_after !== balance || balance < 0) {
      this.report(`${name}: balance ${balance_after}, but the entries sum up to ${balance}`)
    }
    if (!created_at.startsWith(this.month)) this.report(`${name}: made at ${created_at}`)
    const references = former.references + (referenced.has(reason) ? 1 : 0)
    // Goes on with what the entry says, so that each fault is reported once.
    this.accounts.set(account, { number, balance: balance_after, references })
  }

  /** Compares the entries since the start of the month with the closings that are stored. */
  endMonth(closings: ReadonlyArray<Closing>): void {
    for (const { account, balance, entries, last_number, sum } of closings) {
      const former = this.before.get(account)
      const last = this.accounts.get(account) ?? unopened
      this.before.delete(account)
      const isRight =
        former !== undefined &&
        last.number === last_number &&
        last.balance === balance &&
        last.number - former.number === entries &&
        last.balance - former.balance === sum
      if (!isRight)
        this.report(`${account}: the entries differ from the closing, ${balance} after entry ${last_number}`)
    }
    for (const account of this.before.keys()) this.report(`${account}: has entries, but no closing`)
  }

  report(problem: string): void {
    if (this.problems.length < maxProblems)
      this.problems.push(this.month === "" ? problem : `${this.month}: ${problem}`)
  }
}

const maxProblems = 20

/** The reasons of entries whose references count once. */
const referenced: ReadonlySet<string> = new Set(["grant", "refund", "adjustment"])

const parseLine = (line: string): EntryLine | undefined => {
  try {
    const entry = JSON.parse(line) as EntryLine
    return typeof entry.number === "number" && typeof entry.created_at === "string" ? entry : undefined
  } catch {
    return undefined
  }
}

/** The accounts before a month, from its closings. */
export const beforeMonth = (closings: ReadonlyArray<Closing>): Map<string, AccountSum> =>
  new Map(
    closings.map(({ account, balance, entries, last_number, sum }) => [
      account,
      { number: last_number - entries, balance: balance - sum, references: 0 }
    ])
  )
