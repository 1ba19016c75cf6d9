import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { ReleaseProblem, run } from './run.ts'
import { writeGzip } from './pack.ts'

/** Release of Debian below the image, and what agent jobs and repositories need from it. */
export const debian = { suite: 'bookworm', packages: ['bubblewrap', 'ca-certificates', 'git', 'libstdc++6'] } as const

/** User and group of Docket in the image. */
export const user = 10_001

/** Whether mmdebstrap can be started. */
export const hasMmdebstrap = (): Promise<boolean> =>
  run('/', ['mmdebstrap', '--version']).then(
    () => true,
    () => false,
  )

const withoutPages = [
  'path-exclude=/usr/share/man/*',
  'path-exclude=/usr/share/info/*',
  'path-exclude=/usr/share/locale/*',
  'path-exclude=/usr/share/doc/*',
  'path-include=/usr/share/doc/*/copyright',
]

/** A package of Debian in the image. */
export type DebianPackage = { name: string; version: string; architecture: string }

/** Packages that a `dpkg` status file lists. */
export const readDpkgStatus = (status: string): DebianPackage[] =>
  status
    .split('\n\n')
    .map((block) => (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(block)?.[1])
    .flatMap((field) => {
      const [name, version, architecture] = [field('Package'), field('Version'), field('Architecture')]
      return name && version && architecture ? [{ name, version, architecture }] : []
    })

/**
 * Writes a Debian without services, package lists and pages as `layer.tar.gz` into `folder`. The same packages give the
 * same bytes. `mirror` is another source of packages than deb.debian.org; null for that one.
 */
export const buildDebianLayer = async (
  folder: string,
  epochSeconds: number,
  mirror: string | null,
): Promise<{ file: string; tar: string; packages: DebianPackage[] }> => {
  const tar = join(folder, 'debian.tar')
  const file = join(folder, 'debian.tar.gz')
  await run(
    folder,
    [
      'mmdebstrap',
      '--variant=essential',
      '--quiet',
      `--include=${debian.packages.join(',')}`,
      ...withoutPages.map((option) => `--dpkgopt=${option}`),
      // The image is written once; what dpkg makes sure of after every file takes minutes on a busy disk.
      '--dpkgopt=force-unsafe-io',
      '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/* "$1"/var/log/* "$1"/etc/dpkg/dpkg.cfg.d/99mmdebstrap',
      // No name of the machine that built it.
      '--customize-hook=rm -f "$1"/etc/hostname "$1"/etc/resolv.conf',
      `--customize-hook=echo docket:x:${user}:${user}::/data:/usr/sbin/nologin >> "$1"/etc/passwd`,
      `--customize-hook=echo docket:x:${user}: >> "$1"/etc/group`,
      `--customize-hook=install -d -m 0700 -o ${user} -g ${user} "$1"/data`,
      debian.suite,
      tar,
      ...(mirror === null ? [] : [mirror]),
    ],
    { SOURCE_DATE_EPOCH: String(epochSeconds) },
  )
  const status = await run(folder, ['tar', '-xOf', tar, './var/lib/dpkg/status'])
  const packages = readDpkgStatus(status)
  if (packages.length === 0) throw new ReleaseProblem('mmdebstrap installed no packages.')
  await writeGzip(createReadStream(tar), file)
  return { file, tar, packages }
}
