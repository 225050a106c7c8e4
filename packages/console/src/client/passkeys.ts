/** Passkeys with the browser's API. */
import type { Account } from "../state/session.ts"
import type { InputOf, Route } from "./Contract.ts"
import { Problem } from "./Problem.ts"
import { send } from "./send.ts"

/** Whether browser and address support passkeys: browsers refuse IP addresses. */
export const hasPasskeys = (): boolean =>
  "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(location.hostname) && window.isSecureContext

/** Signs in with a passkey. */
export const signInWithPasskey = async (): Promise<Account> => {
  const { options } = await send("POST /v1/admin/account/passkey-challenge", {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asJson(options))
  const credential = await ask(() => navigator.credentials.get({ publicKey }))
  const { account } = await send("POST /v1/admin/account/passkey-sign-in", {
    body: { credential: jsonOf<"POST /v1/admin/account/passkey-sign-in">(credential) }
  })
  return account
}

/** Creates a passkey. */
export const makePasskey = async (options: Readonly<Record<string, unknown>>) => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asJson(options))
  return jsonOf<"POST /v1/admin/account/passkeys">(await ask(() => navigator.credentials.create({ publicKey })))
}

/** The same JSON, typed differently by browser and service. */
const asJson = <A>(json: object): A => json as A

const jsonOf = <R extends Route>(credential: Credential): CredentialOf<R> =>
  asJson((credential as PublicKeyCredential).toJSON())

type CredentialOf<R extends Route> = InputOf<R> extends { readonly body: { readonly credential: infer A } } ? A : never

const ask = async (question: () => Promise<Credential | null>): Promise<Credential> => {
  try {
    const credential = await question()
    if (credential !== null) return credential
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError") {
      throw refused("this device already has a passkey for the account")
    }
  }
  throw refused("no passkey was used: the request was cancelled or timed out")
}

const refused = (message: string): Problem => new Problem({ status: 0, code: "passkey_not_used", message })
