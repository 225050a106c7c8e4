/** What a replica asks the database about permits, what it answers, and the connection that this goes over. */
import { Socket } from "node:net"
import { Client } from "pg"

/** One subject's part of a question: what is given back, then what is needed. */
export interface PermitQuestion {
  /** The subject's hash. */
  readonly subject: string
  readonly limit: number
  /** Permits that requests wait for. */
  readonly need: number
  /** Permits for requests that will probably come. */
  readonly extra: number
  /** The end of a lease that is given back, as the answer named it, and its permits; 0 if there is none. */
  readonly ended_ms: number
  readonly leased: number
  /** How many requests passed since the last question, on a lease or without one, and how long ago the last did. */
  readonly used: number
  readonly age_ms: number
}

/** What the database says of one subject. Times are in milliseconds from when the question was sent, unless told. */
export interface PermitAnswer {
  readonly granted: number
  /** What is in the window of all replicas, `granted` among it. */
  readonly total: number
  /** The name of the lease: its end on the database's clock. */
  readonly end_ms: number
  /** For how long the permits may be used, from when the question was sent. */
  readonly valid_ms: number
  /** How long it takes at most until one more permit is there; 0 if there is one. */
  readonly opens_ms: number
  /** When it is worth asking again: sooner than that, if another replica may give some back. */
  readonly recheck_ms: number
  /** Until what was used before has left the window. */
  readonly reset_ms: number
}

/** Who answers: the database, or what stands for it in tests. */
export interface PermitSource {
  /** Answers in the order of the questions, each about another subject; rejects where no answer comes in time. */
  readonly ask: (questions: ReadonlyArray<PermitQuestion>) => Promise<ReadonlyArray<PermitAnswer>>
}

/** An answer that takes longer is not worth having: the connection is given up, and a new one made. */
const answerPatience_ms = 1_000

/**
 * A connection that only these questions go over, so that none waits behind a paid call. It is made when it is needed,
 * and given up as soon as an answer is late: one that has gone silent says nothing of it.
 */
export class PermitConnection implements PermitSource {
  private readonly url: string
  private open: Promise<Client> | undefined
  private socket = new Socket()

  constructor(url: string) {
    this.url = url
  }

  async ask(questions: ReadonlyArray<PermitQuestion>): Promise<ReadonlyArray<PermitAnswer>> {
    this.open ??= this.connect()
    try {
      const client = await this.open
      const { rows } = await client.query<PermitRow>({ ...takePermits, values: parametersOf(questions) })
      return answersOf(rows)
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    const closing = this.open
    this.open = undefined
    const { socket } = this
    closing?.then((client) => client.end()).catch(() => {})
    socket.destroySoon()
  }

  private async connect(): Promise<Client> {
    const socket = new Socket()
    this.socket = socket
    const client = new Client({
      connectionString: this.url,
      connectionTimeoutMillis: answerPatience_ms,
      query_timeout: answerPatience_ms,
      statement_timeout: answerPatience_ms,
      application_name: "postcode-gateway limits",
      stream: () => socket
    })
    // A question that is under way fails by itself; where none is, the next one will.
    client.on("error", () => {})
    await client.connect()
    return client
  }
}

/** A row as it arrives: numbers that may be long come as texts. */
export type PermitRow = Omit<PermitAnswer, "end_ms"> & { readonly number: string; readonly end_ms: string }

/** The arrays that the functions of the database take, one element for each question. */
export const parametersOf = (
  questions: ReadonlyArray<PermitQuestion>
): ReadonlyArray<ReadonlyArray<string | number>> => [
  questions.map(({ subject }) => subject),
  questions.map(({ limit }) => bounded(limit)),
  questions.map(({ need }) => bounded(need)),
  questions.map(({ extra }) => bounded(extra)),
  questions.map(({ ended_ms }) => ended_ms),
  questions.map(({ leased }) => leased),
  questions.map(({ used }) => bounded(used)),
  questions.map(({ age_ms }) => age_ms)
]

/** The database counts in 32 bits, and one number that it cannot hold would fail the whole question. */
const bounded = (count: number): number => Math.min(count, 1_000_000_000)

/** The answers in the order of the questions, each of which has one row. */
export const answersOf = (rows: ReadonlyArray<PermitRow>): ReadonlyArray<PermitAnswer> => {
  const answers: Array<PermitAnswer> = []
  for (const { number, end_ms, ...answer } of rows) answers[Number(number) - 1] = { ...answer, end_ms: Number(end_ms) }
  return answers
}

const takePermits = {
  name: "take_permits",
  text: "SELECT * FROM postcode.take_permits($1, $2, $3, $4, $5, $6, $7, $8)"
}
