/** The answers of a connection: in the order of their requests, and after the one that ends it nothing more is begun. */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** The socket holds its state: a map would cost each request more than the rest of this file. */
interface Connection extends Socket {
  [lastAnswer]?: ServerResponse
  [isOver]?: boolean
}

const lastAnswer = Symbol("the answer to the last request that was begun")
const isOver = Symbol("whether no further request is begun")

/** The answer to the last request that was begun. Those before it have gone out when it has. */
export const lastAnswerOf = (socket: Connection): ServerResponse | undefined => socket[lastAnswer]

/** Notes that a request is begun. */
export const beginAnswer = (res: ServerResponse): void => {
  const socket: Connection = res.req.socket
  socket[lastAnswer] = res
}

/** Whether no further request is begun. */
export const isEnding = (socket: Connection): boolean => socket[isOver] === true

/** From now on no request is begun. */
export const endRequests = (socket: Connection): void => {
  socket[isOver] = true
}

/** Makes this answer the last one. Answers to requests that were begun after it would be lost. */
export const endWith = (res: ServerResponse): void => {
  endRequests(res.req.socket)
  res.setHeader("connection", "close")
}

/** Runs at once if every request that was begun is answered, else after the last answer; never if the client goes away. */
export const afterAnswers = (socket: Connection, run: () => void): void => {
  const last = lastAnswerOf(socket)
  if (last === undefined || last.writableFinished) run()
  else last.once("finish", run)
}
