/** The result of a tool: the API's response, with what an agent needs beside it. */
import type { CallToolResult } from "@modelcontextprotocol/server"
import { type Answer, isPostcodeError } from "@postcode/client"
import { type Called, failureOf } from "../management/connect.ts"
import type { JsonSchema } from "./JsonSchema.ts"
import { questionAbout, questionAboutError } from "./Question.ts"
import { quoted } from "./quoted.ts"
import { BudgetSpent } from "./SessionBudget.ts"

/** The schema of a result, from that of the API's response. */
export const outputSchema = ({ properties, ...response }: JsonSchema): JsonSchema => ({
  ...response,
  properties: {
    ...(properties as JsonSchema),
    ask_user: {
      type: "string",
      description: "A question. Put it to the user, and wait for the answer before you use the result."
    },
    level: {
      type: "integer",
      description: "The level of a lookup: lower than requested where the key or the organization is granted less."
    },
    credits: {
      type: "object",
      description: "What this call cost, the balance after it, and what is left of the session's budget.",
      properties: { charged: integer, remaining: integer, budget_left: integer },
      required: ["charged", "remaining", "budget_left"]
    }
  }
})

const integer = { type: "integer" }

/** @param budget_left undefined for a call that is free */
export const resultOf = ({ data, meta }: Answer<unknown>, budget_left: number | undefined): CallToolResult => {
  const ask_user = questionAbout(data)
  const { credits, level } = meta
  const output = {
    data,
    ...(ask_user !== undefined && { ask_user }),
    ...(level !== undefined && { level }),
    ...(credits !== undefined && budget_left !== undefined && { credits: { ...credits, budget_left } })
  }
  return { content: [{ type: "text", text: JSON.stringify(output) }], structuredContent: output }
}

/**
 * A failed call in the words of the API: `code: “message”`.
 *
 * @throws the error itself if it is neither the service's nor the budget's
 */
export const failedResult = (error: unknown, called: Called): CallToolResult => {
  if (error instanceof BudgetSpent) return failed(`${error.code}: ${error.message}`)
  if (!isPostcodeError(error)) throw error
  const message = `${error.code}: ${quoted(failureOf(error, called).message, maxErrorLength)}`
  const question = questionAboutError(error.message)
  return failed(question === undefined ? message : `${message}\nask_user: ${question}`)
}

const maxErrorLength = 400

const failed = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true })
