/**
 * Clients that look postcodes up for credits on any replica, and write down what they sent and what they were answered.
 * What has an Idempotency-Key is sent again, on another replica, until there is an answer.
 */
import * as http from "node:http"
import * as https from "node:https"
import { setTimeout } from "node:timers/promises"
import type { RandomNumbers } from "../../test/RandomNumbers.ts"

/** What the replicas charge, in credits. */
const levelPrices = { 2: 1, 3: 2, 4: 3 } as const

/** One request as it went out, and what came of it. */
export interface Attempt {
  readonly request_id: string
  readonly account: string
  /** Its Idempotency-Key; undefined if it has none. */
  readonly idempotency_key: string | undefined
  /** What it costs if it is served. */
  readonly price: number
  /** 0 if the answer was lost. */
  readonly status: number
  /** As the answer says; 0 if it says nothing. */
  readonly charged: number
  /** By `performance.now`; an answer counts once it was read to its end. */
  readonly sent_ms: number
  readonly answered_ms: number
}

/** An account to be charged. */
export interface Payer {
  readonly account: string
  readonly secret: string
}

export interface Scene {
  readonly ports: ReadonlyArray<number>
  readonly payers: ReadonlyArray<Payer>
  /** Postcodes of active units. */
  readonly postcodes: ReadonlyArray<string>
  /** The certificate of `localhost`, if the ports speak TLS. */
  readonly ca?: string
  /** How long a client waits between two questions; 0 by default. */
  readonly pause_ms?: number
}

/** Asks one question after the other until it is told to stop. */
export const runClient = async (
  name: string,
  scene: Scene,
  random: RandomNumbers,
  signal: AbortSignal,
  record: (attempt: Attempt) => void
): Promise<void> => {
  const options = { keepAlive: true, maxSockets: 1 }
  const agent =
    scene.ca === undefined
      ? new http.Agent(options)
      : new https.Agent({ ...options, ca: scene.ca, servername: "localhost" })
  for (let question = 1; !signal.aborted; question++) {
    await ask(`${name}-${question}`, { ...scene, agent }, random, record)
    if (scene.pause_ms !== undefined) await setTimeout(scene.pause_ms)
  }
  agent.destroy()
}

/** Looks one postcode up at level 2 and answers the status; for the time after the chaos. */
export const lookUpOnce = async (
  request_id: string,
  scene: Scene,
  payer: Payer,
  record: (attempt: Attempt) => void
): Promise<number> => {
  const path = `/v1/lookup?code=${scene.postcodes[0]}&level=2`
  const answer = await send({ port: scene.ports[0] as number, path, request_id, secret: payer.secret })
  record({ request_id, account: payer.account, idempotency_key: undefined, price: levelPrices[2], ...answer })
  return answer.status
}

interface Asking extends Scene {
  readonly agent: http.Agent
}

const ask = async (
  name: string,
  { agent, payers, ports, postcodes }: Asking,
  random: RandomNumbers,
  record: (attempt: Attempt) => void
): Promise<void> => {
  const { account, secret } = pick(payers, random)
  const { price, ...what } = question(postcodes, random)
  const idempotency_key = random() < repeatableShare ? `key-${name}` : undefined
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const request_id = `${name}-${attempt}`
    const answer = await send({ port: pick(ports, random), agent, request_id, secret, idempotency_key, ...what })
    record({ request_id, account, idempotency_key, price, ...answer })
    if (answer.status !== 0 && answer.status !== 503) return
    if (idempotency_key === undefined) return
    await setTimeout(50 + 200 * random())
  }
}

const repeatableShare = 0.6
const mostAttempts = 60

/** A single lookup most often, a batch now and then. */
const question = (postcodes: ReadonlyArray<string>, random: RandomNumbers) => {
  const level = pick([2, 3, 4] as const, random)
  if (random() < 0.9) {
    return { path: `/v1/lookup?code=${pick(postcodes, random)}&level=${level}`, price: levelPrices[level] }
  }
  const codes = Array.from({ length: 1 + Math.floor(5 * random()) }, () => pick(postcodes, random))
  const price = levelPrices[level] * new Set(codes).size
  return { path: "/v1/lookup/batch", body: JSON.stringify({ level, codes }), price }
}

interface Sent {
  readonly port: number
  readonly path: string
  readonly request_id: string
  /** The API key; undefined if the request has none. */
  readonly secret: string | undefined
  readonly body?: string
  readonly agent?: http.Agent
  readonly idempotency_key?: string | undefined
}

const outageTimeout_ms = 15_000

/** An answer counts once it was read to its end. */
export const send = ({ agent, body, idempotency_key, path, port, request_id, secret }: Sent) =>
  new Promise<Pick<Attempt, "answered_ms" | "charged" | "sent_ms" | "status">>((resolve) => {
    const sent_ms = performance.now()
    const answer = (status: number, charged: number) =>
      resolve({ status, charged, sent_ms, answered_ms: performance.now() })
    const lost = () => answer(0, 0)
    const headers = {
      ...(secret !== undefined && { "x-api-key": secret }),
      "x-request-id": request_id,
      ...(idempotency_key !== undefined && { "idempotency-key": idempotency_key }),
      ...(body !== undefined && { "content-type": "application/json" })
    }
    const method = body === undefined ? "GET" : "POST"
    const { request } = agent instanceof https.Agent ? https : http
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent, timeout: outageTimeout_ms })
    sent.on("timeout", () => sent.destroy())
    sent.on("error", lost)
    sent.on("response", (response) => {
      response.on("error", lost).on("aborted", lost).resume()
      response.on("end", () => answer(response.statusCode ?? 0, Number(response.headers["x-credits-charged"] ?? 0)))
    })
    sent.end(body)
  })

const pick = <A>(from: ReadonlyArray<A>, random: RandomNumbers): A => from[Math.floor(random() * from.length)] as A
