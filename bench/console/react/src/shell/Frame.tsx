import { useRef, useState } from "react"
import { Outlet, useParams } from "react-router"
import { useCall } from "../hooks/useCall.ts"
import type { Environment, FrameContext } from "../hooks/useEnvironment.ts"
import { Loading } from "../kit/Loading.tsx"
import { Problem } from "../kit/Problem.tsx"
import { Brand } from "./Brand.tsx"
import { Entrance } from "./Entrance.tsx"
import { Side } from "./Side.tsx"

/** The frame of the screens, after the account is loaded. */
export const Frame = () => {
  const { data: account, error } = useCall("GET /v1/admin/account", {})
  const { organization = "" } = useParams()
  const [environment, setEnvironment] = useState<Environment>("test")
  const main = useRef<HTMLElement>(null)
  if (account === undefined) {
    return <Entrance>{error === null ? <Loading /> : <Problem error={error} />}</Entrance>
  }
  const context: FrameContext = { environment, setEnvironment }
  return (
    <>
      <header className="bar">
        <button type="button" className="skip" onClick={() => main.current?.focus()}>
          Skip to the content
        </button>
        <Brand />
      </header>
      <div className="frame">
        <aside className="side" aria-label="Navigation">
          <Side account={account} organization={organization} {...context} />
        </aside>
        <main ref={main} tabIndex={-1}>
          <Outlet context={context} />
        </main>
      </div>
    </>
  )
}
