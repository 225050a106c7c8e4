/**
 * The settings of an embedded server that no file and no `ALTER SYSTEM` can change: those that name a command, a library
 * or another file are passed on its command line, which takes precedence. A data folder may come from a backup.
 */
import { join } from "node:path"
import type { DataFolder } from "./DataFolder.ts"

/** These features are off, or have their default. A server refuses settings that it does not know. */
export const fixedSettings = ({ cluster }: DataFolder, major: number): Readonly<Record<string, string>> => ({
  data_directory: cluster,
  hba_file: join(cluster, "pg_hba.conf"),
  ident_file: join(cluster, "pg_ident.conf"),
  external_pid_file: "",
  archive_mode: "off",
  archive_command: "",
  archive_library: "",
  restore_command: "",
  archive_cleanup_command: "",
  recovery_end_command: "",
  primary_conninfo: "",
  primary_slot_name: "",
  shared_preload_libraries: "",
  session_preload_libraries: "",
  local_preload_libraries: "",
  dynamic_library_path: "$libdir",
  jit_provider: "llvmjit",
  ssl: "off",
  ssl_passphrase_command: "",
  ssl_passphrase_command_supports_reload: "off",
  ...(major >= 17 && { event_triggers: "off" }),
  ...(major >= 18 && { extension_control_path: "$system", oauth_validator_libraries: "" })
})

/** What a restore writes in place of the backup's files of these names. The server's command line has the rest. */
export const configurationFiles: ReadonlyMap<string, string> = new Map([
  [
    "postgresql.conf",
    "# The service passes its settings on the command line.\ntimezone = 'UTC'\nlog_timezone = 'UTC'\n"
  ],
  ["postgresql.auto.conf", "# Changed by ALTER SYSTEM.\n"],
  ["pg_hba.conf", "# Only through the socket, whose folder only one user may enter.\nlocal all all trust\n"],
  ["pg_ident.conf", "# No names are mapped.\n"]
])
