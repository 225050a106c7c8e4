/** What the console knows of the instance: its mail, its sandbox, where its users ask questions, and its streets. */
import { effect, signal } from "@preact/signals"
import { send } from "../client/send.ts"
import { account } from "./session.ts"

/** The settings that users see. */
export interface Instance {
  readonly sendsMail: boolean
  /** Whether test keys see the units of the sandbox. */
  readonly hasSandbox: boolean
  readonly supportContact: string | undefined
  /** The MapLibre style of maps. */
  readonly mapStyle: string | undefined
}

/** Undefined until it is known, and before sign-in. */
export const instance = signal<Instance | undefined>()

effect(() => {
  if (account.value?.id === undefined || instance.peek() !== undefined) return
  send("GET /v1/admin/whoami", {}).then(
    ({ has_sandbox, map_style, sends_mail, support_contact }) => {
      instance.value = {
        sendsMail: sends_mail,
        hasSandbox: has_sandbox,
        supportContact: support_contact,
        mapStyle: map_style
      }
    },
    // Without it, the console does not say more than it knows.
    () => undefined
  )
})

/** A contact as the target of a link. */
export const contactLink = (contact: string): string => (contact.includes("://") ? contact : `mailto:${contact}`)
