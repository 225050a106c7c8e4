import type { ManagementCall } from "@postcode/gateway/ManagementAccess"
import {
  Bell,
  Building,
  ChartColumn,
  CircleUser,
  Coins,
  House,
  KeyRound,
  List,
  Map as MapIcon,
  Play,
  ShieldCheck,
  Users
} from "lucide-react"
import { NavLink } from "react-router"
import type { DataOf } from "../../../../../packages/console/src/client/Contract.ts"
import { useCall } from "../hooks/useCall.ts"
import type { FrameContext } from "../hooks/useEnvironment.ts"
import { useMay } from "../hooks/useMay.ts"
import { Brand } from "./Brand.tsx"

interface SideProps extends FrameContext {
  readonly account: DataOf<"GET /v1/admin/account">
  readonly organization: string
}

/** The navigation: environment and the permitted screens. */
export const Side = ({ account, environment, organization, setEnvironment }: SideProps) => {
  const { data } = useCall("GET /v1/admin/organizations/:id", { params: { id: organization } })
  return (
    <>
      <Brand />
      <div className="stack">
        <p className="switch">
          <Building className="icon" />
          <span className="name">{data?.name ?? "…"}</span>
        </p>
        <EnvironmentSwitch environment={environment} setEnvironment={setEnvironment} />
      </div>
      <nav aria-label="Screens">
        <Group title="Organization" entries={entriesOf(`/organizations/${organization}`)} />
        <Group
          title="Instance"
          entries={[{ place: "/directory", label: "Directory", call: "directory", Icon: MapIcon }]}
        />
      </nav>
      <NavLink className="person" to="/account">
        <CircleUser className="icon" />
        <span>
          {account.name}
          <small>{account.email}</small>
        </span>
      </NavLink>
    </>
  )
}

interface Entry {
  readonly place: string
  readonly label: string
  readonly call: ManagementCall
  readonly Icon: typeof House
}

const entriesOf = (organization: string): ReadonlyArray<Entry> => [
  { place: organization, label: "Overview", call: "getOrganization", Icon: House },
  { place: `${organization}/keys`, label: "Keys", call: "listKeys", Icon: KeyRound },
  { place: `${organization}/try`, label: "Try it", call: "getOrganization", Icon: Play },
  { place: `${organization}/usage`, label: "Usage", call: "usage", Icon: ChartColumn },
  { place: `${organization}/credits`, label: "Credits", call: "credits", Icon: Coins },
  { place: `${organization}/verification`, label: "Verification", call: "getOrganization", Icon: ShieldCheck },
  { place: `${organization}/webhooks`, label: "Webhooks", call: "listWebhooks", Icon: Bell },
  { place: `${organization}/members`, label: "Members", call: "listMembers", Icon: Users },
  { place: `${organization}/audit`, label: "Audit", call: "audit", Icon: List }
]

const Group = ({ entries, title }: { readonly title: string; readonly entries: ReadonlyArray<Entry> }) => {
  const may = useMay()
  return (
    <div>
      <p className="group">{title}</p>
      <ul>
        {entries
          .filter(({ call }) => may(call))
          .map(({ Icon, label, place }) => (
            <li key={label}>
              <NavLink to={place} end>
                <Icon className="icon" />
                {label}
              </NavLink>
            </li>
          ))}
      </ul>
    </div>
  )
}

const EnvironmentSwitch = ({ environment, setEnvironment }: FrameContext) => (
  <div className="environment" role="radiogroup" aria-label="Environment">
    {(["test", "live"] as const).map((name) => (
      <label key={name} className={name}>
        <input type="radio" name="environment" checked={environment === name} onChange={() => setEnvironment(name)} />
        {name === "test" ? "Test" : "Live"}
      </label>
    ))}
  </div>
)
