/** The name under which the command was started, so that hints can be run as printed. */
import { host } from "./Host.ts"

/** `postcode`; `npm run -s postcode --` in a checkout, where npm precedes it; `npx postcode` under npx. */
export const commandName = (env: Readonly<NodeJS.ProcessEnv> = host().env): string => {
  if (env.npm_package_name === "postcode-gateway") return "npm run -s postcode --"
  return env.npm_command === "exec" ? "npx postcode" : "postcode"
}

/** The hint to the help after wrong usage. `path` is the subcommand that the user typed. */
export const helpHint = (...path: ReadonlyArray<string>): string => `see ${[commandName(), ...path].join(" ")} --help`
