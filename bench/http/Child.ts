/** A child process that answers requests of its parent one by one. */
import { type ChildProcess, fork } from "node:child_process"

export class Child<Order, Answer> {
  readonly pid: number
  private readonly process: ChildProcess
  private answered: (answered: Answered<Answer>) => void = () => {}

  /** @param module the child's program, which calls `answerParent` */
  constructor(module: URL, nodeFlags: ReadonlyArray<string>) {
    this.process = fork(module, [], {
      execArgv: [...nodeFlags],
      serialization: "advanced",
      // Standard output is for figures.
      stdio: ["ignore", 2, 2, "ipc"]
    })
    this.pid = this.process.pid as number
    this.process.on("message", (answered: Answered<Answer>) => this.answered(answered))
    this.process.on("exit", () => this.answered({ failure: `the process of ${module.pathname} ended` }))
  }

  /** @throws Error if it fails or the process ends */
  tell(order: Order): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.answered = (answered) => {
        if ("failure" in answered) reject(new Error(answered.failure))
        else resolve(answered.answer)
      }
      this.process.send(order as object)
    })
  }

  end(): void {
    this.process.kill("SIGTERM")
  }
}

type Answered<Answer> = { readonly answer: Answer } | { readonly failure: string }

/** Answers the parent's requests, in the child process. It ends with its parent. */
export const answerParent = <Order, Answer>(answer: (order: Order) => Promise<Answer>): void => {
  const send = (answered: Answered<Answer>): void => {
    process.send?.(answered)
  }
  process.on("message", (order: Order) => {
    answer(order).then(
      (answer) => send({ answer }),
      (error: Error) => send({ failure: `${error.stack}` })
    )
  })
  process.on("disconnect", () => process.exit())
}
