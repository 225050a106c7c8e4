/** The console: its screens after sign-in, the sign-in page before. */
import { useEffect } from "preact/hooks"

import { OpenedDialog } from "./kit/dialogs/OpenedDialog.tsx"
import { Announcement } from "./kit/feedback/Announcement.tsx"
import { Loading } from "./kit/feedback/Loading.tsx"
import { ProblemNotice } from "./kit/feedback/ProblemNotice.tsx"
import { PageHeader } from "./kit/layout/PageHeader.tsx"
import { path, redirectTo } from "./router/address.ts"
import { Outlet } from "./router/Outlet.tsx"
import { screen, screenAt } from "./router/Screen.ts"
import { screens } from "./screens.ts"
import { Entrance } from "./shell/Entrance.tsx"
import { Frame } from "./shell/Frame.tsx"
import { SignIn } from "./shell/SignIn.tsx"
import { SignInDialog } from "./shell/SignInDialog.tsx"
import { account, begin, hasSessionEnded, signInState } from "./state/session.ts"

/** The root component. */
export const App = () => (
  <>
    <Page />
    <OpenedDialog />
    {hasSessionEnded.value && <SignInDialog />}
    <Announcement />
  </>
)

const Page = () => {
  const state = signInState.value
  if (screenAt(linkScreens, path.value) !== undefined) {
    return (
      <Entrance>
        <Outlet screens={linkScreens} />
      </Entrance>
    )
  }
  if (account.value !== undefined) {
    return (
      <Frame>{screenAt(visitorScreens, path.value) === undefined ? <Outlet screens={screens} /> : <ToHome />}</Frame>
    )
  }
  return (
    <Entrance>
      {state === "asking" && <Loading />}
      {state === "known" &&
        (screenAt(visitorScreens, path.value) === undefined ? <SignIn /> : <Outlet screens={visitorScreens} />)}
      {state instanceof Error && (
        <>
          <PageHeader title="The console cannot start" />
          <ProblemNotice problem={state} onRetry={begin} />
        </>
      )}
    </Entrance>
  )
}

/** Leaves a page for visitors once there is a session, as when the browser goes back to it. */
const ToHome = () => {
  useEffect(() => redirectTo("/"), [])
  return <Loading />
}

/** The pages of links, with and without a session. */
const linkScreens = [
  screen("/join", undefined, () => import("./screens/accounts/JoinScreen.tsx").then(({ JoinScreen }) => JoinScreen)),
  screen("/confirm", undefined, () =>
    import("./screens/entrance/ConfirmSignUpScreen.tsx").then(({ ConfirmSignUpScreen }) => ConfirmSignUpScreen)
  ),
  screen("/reset", undefined, () =>
    import("./screens/entrance/NewPasswordScreens.tsx").then(({ ResetScreen }) => ResetScreen)
  ),
  screen("/undo", undefined, () =>
    import("./screens/entrance/NewPasswordScreens.tsx").then(({ UndoAddressScreen }) => UndoAddressScreen)
  ),
  screen("/confirm-address", undefined, () =>
    import("./screens/entrance/ConfirmAddressScreen.tsx").then(({ ConfirmAddressScreen }) => ConfirmAddressScreen)
  ),
  screen("/unsubscribe", undefined, () =>
    import("./screens/mail/UnsubscribeScreen.tsx").then(({ UnsubscribeScreen }) => UnsubscribeScreen)
  )
]

/** Besides the sign-in, before it. */
const visitorScreens = [
  screen("/sign-up", undefined, () =>
    import("./screens/entrance/SignUpScreen.tsx").then(({ SignUpScreen }) => SignUpScreen)
  ),
  screen("/forgotten", undefined, () =>
    import("./screens/entrance/ForgottenScreen.tsx").then(({ ForgottenScreen }) => ForgottenScreen)
  )
]
