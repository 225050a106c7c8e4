import { useLoad } from "../../hooks/useLoad.ts"
import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { call } from "../../state/session.ts"

/** The sign-up mode, and the switch that stops sign-ups at once. */
export const SignUpSection = () => {
  const loaded = useLoad("GET /v1/admin/sign-up", {})
  const { reload } = loaded
  return (
    <Section title="Sign-up">
      <WhenLoaded loaded={loaded}>
        {({ domains, is_stopped, mode, sends_mail }) => (
          <div class="stack">
            <p>
              {mode === "off"
                ? "Off: accounts are opened by invitation. The setting --sign-up changes this."
                : mode === "open"
                  ? "Anyone can open an account and an organization."
                  : `Addresses of ${domains.join(", ")} can open an account and an organization.`}
            </p>
            {mode !== "off" && !sends_mail && (
              <Notice tone="warning" title="Nobody can sign up: the service sends no mail">
                <p>Set POSTCODE_SMTP_URL.</p>
              </Notice>
            )}
            {is_stopped && <Notice tone="warning" title="An operator has stopped sign-ups" />}
            {mode !== "off" && (
              <div class="actions">
                <Button kind={is_stopped ? "plain" : "danger"} onClick={() => confirmSwitch(!is_stopped, reload)}>
                  {is_stopped ? "Take sign-ups again" : "Stop sign-ups"}
                </Button>
              </div>
            )}
          </div>
        )}
      </WhenLoaded>
    </Section>
  )
}

const confirmSwitch = (is_stopped: boolean, onDone: () => void) =>
  openDialog(
    <ConfirmDialog
      title={is_stopped ? "Stop sign-ups?" : "Take sign-ups again?"}
      confirm={is_stopped ? "Stop sign-ups" : "Take sign-ups"}
      onConfirm={async () => {
        await call("PUT /v1/admin/sign-up", { body: { is_stopped } })
        onDone()
        return is_stopped ? "Sign-ups are stopped" : "Sign-ups are taken"
      }}
    >
      <p>
        {is_stopped
          ? "It counts at once, on all replicas. Links that were sent before stay valid."
          : "Anyone whom the settings allow can open an account again."}
      </p>
    </ConfirmDialog>
  )
