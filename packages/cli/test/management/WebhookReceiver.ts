/** A server that receives webhooks, and what the service says of them. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { manage } from "@postcode/drills/Management"
import type { Service } from "@postcode/drills/StartCommand"
import { Webhook } from "standardwebhooks"
import { listen } from "../../../widget/test/Listening.ts"

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly response: ServerResponse
}

interface Delivery {
  readonly id: string
  readonly event_id: string
  readonly status: string
  readonly attempts: number
  readonly last_status?: number
}

/** A receiver that answers when the test does. */
export const startReceiver = async () => {
  const all: Array<Received> = []
  let told: () => void = () => {}
  const { close, url } = await listen(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    all.push({ headers: request.headers, body, response })
    told()
  })
  return {
    url: `${url}/hooks`,
    /** The request of that number, from 0, once it is there. */
    request: async (number: number): Promise<Received> => {
      while (all[number] === undefined) {
        await new Promise<void>((resolve) => {
          told = resolve
        })
      }
      return all[number] as Received
    },
    count: () => all.length,
    [Symbol.asyncDispose]: close
  }
}

export const contentOf = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

/** The newest delivery, once it is as it should be. */
export const deliveryWhere = async (
  { url }: Pick<Service, "url">,
  webhook: string,
  isRight: (delivery: Delivery) => boolean
): Promise<Delivery> => {
  for (;;) {
    const { deliveries } = await manage<{ deliveries: ReadonlyArray<Delivery> }>(
      url,
      "GET",
      `/webhooks/${webhook}/deliveries`
    )
    const [newest] = deliveries
    if (newest !== undefined && isRight(newest)) return newest
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
