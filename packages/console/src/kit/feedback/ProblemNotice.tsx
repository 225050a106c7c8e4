import { useEffect, useRef, useState } from "preact/hooks"
import type { Problem } from "../../client/Problem.ts"
import { Copyable } from "../data/Copyable.tsx"
import { Button } from "../forms/Button.tsx"
import { Notice } from "./Notice.tsx"

export interface ProblemNoticeProps {
  readonly problem: Problem | undefined
  /** Retries the failed call. */
  readonly onRetry?: () => unknown
}

/** The error message of a call with its request id, and a retry button if a retry can help. */
export const ProblemNotice = ({ onRetry, problem }: ProblemNoticeProps) => {
  if (problem === undefined) return null
  const { code, guide, message, requestId, status } = problem
  return (
    <Notice tone={isTemporary(problem) ? "warning" : "bad"} title={titleOf(problem)} isSpoken>
      {code === "offline" ? <p>Check the connection. Your input is not lost.</p> : <p>{sentenceOf(message)}</p>}
      {requestId !== undefined && status !== 0 && (
        <p class="request">
          Request <Copyable value={requestId} label="the request’s id" />
          {guide && (
            <a href={guide} target="_blank" rel="noopener">
              What this error means
            </a>
          )}
        </p>
      )}
      {onRetry && isRepeatable(problem) && <Retry key={problem} problem={problem} onRetry={onRetry} />}
    </Notice>
  )
}

interface RetryProps {
  readonly problem: Problem
  readonly onRetry: () => unknown
}

/** Enabled after `Retry-After`. */
const Retry = ({ onRetry, problem: { retryAfter_s = 0 } }: RetryProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const [left_s, setLeft] = useState(retryAfter_s)
  useEffect(() => {
    const until_ms = Date.now() + retryAfter_s * 1000
    const timer = setInterval(() => {
      const next = Math.max(0, Math.ceil((until_ms - Date.now()) / 1000))
      setLeft(next)
      if (next === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [retryAfter_s])
  return (
    <Button
      ref={button}
      isDisabled={left_s > 0}
      onClick={() => {
        focusBeside(button.current)
        onRetry()
      }}
    >
      {left_s > 0 ? `Try again in ${left_s} s` : "Try again"}
    </Button>
  )
}

/** The button disappears with the problem: the focus moves to the submit button or else to the page's title. */
const focusBeside = (button: HTMLElement | null): void => {
  const next = button?.closest("form")?.querySelector<HTMLElement>("[type=submit]") ?? document.querySelector("h1")
  next?.focus({ preventScroll: true })
}

/** Whether the error is temporary, and not caused by the request. */
const isTemporary = ({ code, status }: Problem): boolean =>
  code === "offline" || code === "session_ended" || status === 429 || status === 503

const isRepeatable = (problem: Problem): boolean =>
  isTemporary(problem) || problem.status === 500 || problem.status === 0

const titleOf = ({ code, status }: Problem): string => {
  if (code === "offline") return navigator.onLine ? "The service cannot be reached" : "You are offline"
  if (code === "session_ended") return "You were signed out"
  return titles[status] ?? "The request failed"
}

/** The service's messages start in lower case, some with a field name: `present_password: expected …`. */
const sentenceOf = (message: string): string => {
  const words = message.replace(/^\w+(?=: )/, (field) => field.replaceAll("_", " "))
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?!]$/.test(words) ? "" : "."}`
}

const titles: Readonly<Record<number, string>> = {
  400: "Check your input",
  401: "Not accepted",
  403: "Not allowed",
  404: "Not found",
  409: "This conflicts with the current state",
  429: "Too many requests",
  500: "The service failed",
  503: "The service is busy"
}
