/** A process of one's own that answers what it is told, one thing after the other. */
import { type ChildProcess, fork } from "node:child_process"

export class Child<Order, Answer> {
  readonly pid: number
  private readonly process: ChildProcess
  private answered: (answered: Answered<Answer>) => void = () => {}

  /** @param module its program, which calls `answerParent` */
  constructor(module: URL, nodeFlags: ReadonlyArray<string>) {
    this.process = fork(module, [], {
      execArgv: [...nodeFlags],
      serialization: "advanced",
      // Standard output is for figures alone.
      stdio: ["ignore", 2, 2, "ipc"]
    })
    this.pid = this.process.pid as number
    this.process.on("message", (answered: Answered<Answer>) => this.answered(answered))
    this.process.on("exit", () => this.answered({ failure: `the process of ${module.pathname} ended` }))
  }

  /** @throws Error if it fails, or ends */
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

/** Answers a parent's orders, in the process itself. It ends with its parent. */
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
