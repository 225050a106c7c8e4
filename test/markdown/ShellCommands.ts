/** Commands in shell examples: which of them are run by the tests, and which set something up that is there already. */
import type { Example } from "./MarkdownExamples.ts"

/** The commands of a shell example: without comments, and each on one line. */
export const commandsOf = (code: string): ReadonlyArray<string> =>
  code
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))

const runnable =
  /^(export [A-Z_]+=\$\()?(curl|printf|cat|rm|unset|mkdir -p|([A-Z_]+=\S+ )?node [\w-]+\.ts|(npx )?postcode|npm run -s postcode --|npm run -s start)( |$)(?!serve(?! --help))/
const setUp =
  /^(cd examples\/[\w-]+$|mkdir \.\.\/\w+ && cd \.\.\/\w+$|([A-Z]+=\S+ )?npm (start|test|init|install|run (-s )?(build|bench|docs|pack|sbom))\b|npx (next dev|vite\b|pnpm@)|(npx |npm run -s )?postcode (-- )?serve|export [A-Z_]+=(?!\$\())/

/** Whether an example is run: a program is, and a shell example that does more than set something up. */
export const isRun = ({ code, language }: Pick<Example, "code" | "language">): boolean => {
  if (language === "ts") return true
  const commands = commandsOf(code)
  return commands.some(isRunnable) && commands.every((command) => isRunnable(command) || isSettingUp(command))
}

const isRunnable = (command: string): boolean => runnable.test(command)

/** Whether a command installs, builds or starts what the tests have already; `cd` alone does nothing. */
export const isSettingUp = (command: string): boolean => setUp.test(command)

/** An example without what sets something up. */
export const withoutSettingUp = (code: string): string =>
  commandsOf(code)
    .filter((command) => command.startsWith("cd ") || !isSettingUp(command))
    .join("\n")
