/** The settings of sign-ups, by which a visitor opens an account and an organization. */
import { Context } from "effect"

/** The modes, for flags and checks. */
export const signUpModes = ["off", "open", "domains"] as const

/** `off`: nobody signs up; `open`: everybody; `domains`: only addresses of the listed domains. */
export type SignUpMode = (typeof signUpModes)[number]

/** The settings of an instance. */
export interface SignUpSettings {
  readonly mode: SignUpMode
  /** In lower case: `example.ng`. Only for the mode `domains`. */
  readonly domains: ReadonlyArray<string>
  /** Whether mail is printed in place of being sent, as in the demonstration. */
  readonly isMailPrinted: boolean
}

/** Off by default. Override it with `Layer.succeed(SignUpSettings, …)`. */
export const SignUpSettings = Context.Reference<SignUpSettings>("@postcode/gateway/SignUpSettings", {
  defaultValue: () => ({ mode: "off", domains: [], isMailPrinted: false })
})

/** Whether an address may sign up. */
export const isOfDomain = ({ domains, mode }: SignUpSettings, email: string): boolean =>
  mode === "open" || domains.includes(email.slice(email.lastIndexOf("@") + 1))
