/** What the page says of the service: its element `app` has it as data. */
export const settings = () => {
  const { fill = "", gateway = "", key = "", platform = "" } = document.getElementById("app")?.dataset ?? {}
  return { fill, gateway, platform, publishableKey: key }
}
