/** Answers of a connection are sent in the order of their requests; after the last answer no request is started. */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** The state is kept on the socket: a map would cost each request more than the rest of this file. */
interface Connection extends Socket {
  [lastAnswer]?: ServerResponse
  [isOver]?: boolean
}

const lastAnswer = Symbol("the answer to the last request that was started")
const isOver = Symbol("whether no further request is started")

/** The answer to the newest request. Once it is sent, all earlier answers are. */
export const lastAnswerOf = (socket: Connection): ServerResponse | undefined => socket[lastAnswer]

/** Records the start of a request. */
export const beginAnswer = (res: ServerResponse): void => {
  const socket: Connection = res.req.socket
  socket[lastAnswer] = res
}

/** Whether no further request is started. */
export const isEnding = (socket: Connection): boolean => socket[isOver] === true

/** From now on no request is started. */
export const endRequests = (socket: Connection): void => {
  socket[isOver] = true
}

/** Makes this the last answer. Answers to requests that started after it would be lost. */
export const endWith = (res: ServerResponse): void => {
  endRequests(res.req.socket)
  res.setHeader("connection", "close")
}

/** Runs something after the last answer, synchronously if all are sent; never if the client disconnects. */
export const afterAnswers = (socket: Connection, run: () => void): void => {
  const last = lastAnswerOf(socket)
  if (last === undefined || last.writableFinished) run()
  else last.once("finish", run)
}
