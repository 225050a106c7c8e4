/** `postcode webhooks`. */
import { Effect } from "effect"
import { commandName } from "../../CommandName.ts"
import type { CommandFailure } from "../../ExitCode.ts"
import { given, type ManagementOptions, manage } from "../../management/ManagementApi.ts"
import { fetchPages, type PageOptions, printNextPageHint } from "../../management/Pages.ts"
import { say, writeData, writeJson } from "../../Output.ts"
import { record, table } from "../../Table.ts"

interface OnWebhook extends ManagementOptions {
  readonly webhook: string
}

/** `postcode webhooks list` */
export const listWebhooks = (
  input: ManagementOptions & { readonly organization: string }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data } = yield* manage(input, (api) => api.listWebhooks({ params: { id: input.organization } }))
    if (input.json) return yield* writeJson(data)
    if (data.webhooks.length === 0) {
      return say(`no webhooks yet: ${commandName()} webhooks create ${input.organization} https://… adds one`)
    }
    yield* writeData(
      table(
        [
          { title: "ID", cell: ({ id }) => id },
          { title: "ADDRESS", cell: ({ host, url = host }) => url },
          { title: "DESCRIPTION", cell: ({ description }) => description },
          { title: "STATUS", cell: ({ status }) => status },
          { title: "CREATED", cell: ({ created_at }) => created_at }
        ],
        data.webhooks
      )
    )
  })

/** `postcode webhooks create`: the secret alone goes to standard output. */
export const createWebhook = (
  input: ManagementOptions & {
    readonly organization: string
    readonly address: string
    readonly description: string | undefined
  }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { address: url, description, organization } = input
    const { data } = yield* manage(input, (api) =>
      api.createWebhook({ params: { id: organization }, payload: { url, ...given({ description }) } })
    )
    if (input.json) return yield* writeJson(data)
    say(`webhook ${data.id} to ${data.url}; its secret is shown this once:`)
    yield* writeData(`${data.secret}\n`)
  })

/** `postcode webhooks rotate-secret`: the secret alone goes to standard output. */
export const rotateSecret = (input: OnWebhook): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data } = yield* manage(input, (api) => api.rotateWebhookSecret({ params: { id: input.webhook } }))
    if (input.json) return yield* writeJson(data)
    say(`the secret before signs as well until ${data.former_secret_until}; the new one is shown this once:`)
    yield* writeData(`${data.secret}\n`)
  })

/** `postcode webhooks test` */
export const testWebhook = (input: OnWebhook): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data } = yield* manage(input, (api) => api.testWebhook({ params: { id: input.webhook } }))
    if (input.json) return yield* writeJson(data)
    yield* writeData(shownDelivery(data))
    say(`${commandName()} webhooks deliveries ${input.webhook} shows what comes of it`)
  })

/** `postcode webhooks deliveries` */
export const listDeliveries = (input: OnWebhook & PageOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const data = yield* manage(input, (api) =>
      fetchPages("deliveries", input, (query) =>
        Effect.map(api.listDeliveries({ params: { id: input.webhook }, query }), (answer) => answer.data)
      )
    )
    if (input.json) return yield* writeJson(data)
    if (data.deliveries.length === 0) return say("nothing has been sent there yet")
    yield* writeData(
      table(
        [
          { title: "ID", cell: ({ id }) => id },
          { title: "AT", cell: ({ created_at }) => created_at },
          { title: "EVENT", cell: ({ event }) => event },
          { title: "STATUS", cell: ({ status }) => status },
          { title: "ATTEMPTS", cell: ({ attempts }) => attempts, align: "right" },
          { title: "LAST", cell: lastOf },
          { title: "NEXT", cell: ({ next_attempt_at }) => next_attempt_at }
        ],
        data.deliveries
      )
    )
    printNextPageHint(data.next_cursor)
  })

/** `postcode webhooks retry` */
export const retryDelivery = (
  input: ManagementOptions & { readonly delivery: string }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data } = yield* manage(input, (api) => api.retryDelivery({ params: { id: input.delivery } }))
    if (input.json) return yield* writeJson(data)
    yield* writeData(shownDelivery(data))
  })

/** `postcode webhooks delete` */
export const deleteWebhook = (input: OnWebhook): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data } = yield* manage(input, (api) => api.removeWebhook({ params: { id: input.webhook } }))
    if (input.json) return yield* writeJson(data)
    yield* writeData(record([["removed", data.id]]))
  })

interface Outcome {
  readonly fault?: string
  readonly last_status?: number
}

const lastOf = ({ fault, last_status }: Outcome) => last_status ?? fault

const shownDelivery = (
  delivery: Outcome & {
    readonly id: string
    readonly event: string
    readonly status: string
    readonly attempts: number
    readonly next_attempt_at?: string
  }
): string =>
  record([
    ["delivery", delivery.id],
    ["event", delivery.event],
    ["status", delivery.status],
    ["attempts", delivery.attempts],
    ["last", lastOf(delivery)],
    ["next", delivery.next_attempt_at]
  ])
