/** Writes down all that pages of a browser ask, are answered and say, to look for secrets in it. */
import type { BrowserContext, Page, Request, Response } from "playwright-core"

export interface Recorder {
  readonly watch: (context: BrowserContext) => void
  /** The answers whose head or body holds a text: `POST /v1/admin/organizations/…/keys 201`. */
  readonly answersWith: (text: string) => Promise<ReadonlyArray<string>>
  /** The requests whose head, without cookies, or body holds a text. */
  readonly requestsWith: (text: string) => Promise<ReadonlyArray<string>>
  /** All addresses that were asked, and all that was written to the pages' consoles. */
  readonly said: () => string
  /** The answers that could not be read, although the page did not give them up. */
  readonly unread: () => Promise<ReadonlyArray<string>>
}

/** A request or an answer: `text` is undefined where it could not be read, and empty where the page gave it up. */
interface Message {
  readonly name: string
  readonly text: string | undefined
}

export const makeRecorder = (): Recorder => {
  const answers: Array<Promise<Message>> = []
  const requests: Array<Promise<Message>> = []
  const said: Array<string> = []
  return {
    watch: (context) => {
      context.on("request", (request) => {
        said.push(request.url())
        requests.push(readRequest(request))
      })
      context.on("response", (response) => answers.push(readAnswer(response)))
      context.on("console", (message) => said.push(message.text()))
    },
    answersWith: (text) => namesWith(answers, text),
    requestsWith: (text) => namesWith(requests, text),
    said: () => said.join("\n"),
    unread: async () => (await Promise.all(answers)).filter(({ text }) => text === undefined).map(({ name }) => name)
  }
}

const namesWith = async (messages: ReadonlyArray<Promise<Message>>, text: string): Promise<ReadonlyArray<string>> =>
  (await Promise.all(messages)).filter((message) => message.text?.includes(text)).map(({ name }) => name)

const readRequest = async (request: Request): Promise<Message> => {
  const { cookie: _, ...headers } = await request.allHeaders().catch(() => request.headers())
  const name = `${request.method()} ${new URL(request.url()).pathname}`
  return { name, text: JSON.stringify([request.url(), headers, request.postData()]) }
}

const readAnswer = async (response: Response): Promise<Message> => {
  const request = response.request()
  const name = `${request.method()} ${new URL(response.url()).pathname} ${response.status()}`
  try {
    const { "set-cookie": _, ...headers } = await response.allHeaders()
    const hasNone = response.status() === 204 || response.status() === 304
    return { name, text: JSON.stringify(headers) + (hasNone ? "" : await response.text()) }
  } catch {
    return { name, text: request.failure() === null ? undefined : "" }
  }
}

/** All that a page holds and keeps: itself, its fields, its storages, and where it was. */
export const everythingIn = async (page: Page): Promise<string> => {
  const kept = await page.evaluate(async () => [
    document.documentElement.outerHTML,
    ...[...document.querySelectorAll("input, textarea")].map((field) => (field as HTMLInputElement).value),
    location.href,
    JSON.stringify(history.state),
    JSON.stringify({ ...localStorage }),
    JSON.stringify({ ...sessionStorage }),
    JSON.stringify(await indexedDB.databases()),
    JSON.stringify(await caches.keys()),
    document.cookie
  ])
  const devtools = await page.context().newCDPSession(page)
  const { entries } = await devtools.send("Page.getNavigationHistory")
  await devtools.detach()
  // An entry also has what was typed to come there: no page can change that, or see it.
  const visited = entries.map(({ title, url }) => [title, url])
  return JSON.stringify([kept, visited, await page.context().cookies()])
}
