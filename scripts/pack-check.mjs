/**
 * What `npm pack` makes must install into an empty folder and work there: help, the document of the interface, the
 * page that shows it, and a payment.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'

const folder = mkdtempSync(join(tmpdir(), 'payctl-pack-'))
const prefix = join(folder, 'prefix')
const shop = resolve('docs/corner-shop.json')
const scripts = '--allow-scripts=better-sqlite3'

try {
  const [{ filename, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--silent', '--pack-destination', folder]),
  )
  run('npm', ['install', '--global', '--prefix', prefix, scripts, join(folder, filename)])
  expect(payctl('--help'), /transactions/)
  expect(payctl('openapi'), /"openapi": "3\.1/)
  expect(files.map(({ path }) => path).join('\n'), /^dist\/docs\/swagger-ui-bundle\.js$/m)
  payctl('processing-accounts', 'create', '--data', shop)
  expect(
    payctl('transactions', 'pay', '--amount', '29.99', '--card', '4242424242424242', '--expiry', '12/35'),
    /processed/,
  )
  process.stdout.write(
    `pack: ${filename} with ${files.length} files installs, shows help and takes a payment\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function payctl(...args) {
  return run(join(prefix, 'bin', 'payctl'), args)
}

/** Runs a command away from the project, so that nothing of it can be found by accident. */
function run(command, args) {
  return execFileSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: command === 'npm' && args[0] === 'pack' ? process.cwd() : folder,
    env: { ...process.env, PAYCTL_HOME: join(folder, 'home') },
  })
}

function expect(output, pattern) {
  if (!pattern.test(output)) throw new Error(`Expected ${pattern} in:\n${output}`)
}
