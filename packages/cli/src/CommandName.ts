/** How the command is called where it was started, so that hints can be run as they stand. */
import { host } from "./Host.ts"

/** `postcode`; in a checkout, where npm stands in front of it, `npm run -s postcode --`; and under npx `npx postcode`. */
export const commandName = (env: Readonly<NodeJS.ProcessEnv> = host().env): string => {
  if (env.npm_package_name === "postcode-gateway") return "npm run -s postcode --"
  return env.npm_command === "exec" ? "npx postcode" : "postcode"
}

/** Where the help is for whoever used the command in a wrong way; `path` is what they typed behind its name. */
export const helpHint = (...path: ReadonlyArray<string>): string => `see ${[commandName(), ...path].join(" ")} --help`
