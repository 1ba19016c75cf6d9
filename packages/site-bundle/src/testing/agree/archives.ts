import { gzipSync } from 'node:zlib'
import { packEntries, packZip, tarFile } from '#testing/hostile-archives.ts'

const page = (title: string, ...links: string[]) =>
  `<!doctype html><title>${title}</title><h1>${title}</h1>${links.map((link) => `<a href="${link}">.</a>`).join('')}`

/** A header of the first tar, with a name of any bytes. */
const oldTarEntry = (name: Buffer, content: string): Buffer => {
  const header = Buffer.alloc(512)
  name.copy(header)
  const put = (text: string, at: number) => header.write(text, at, 'latin1')
  put('0000644\0', 100)
  put('0000000\0', 108)
  put('0000000\0', 116)
  put(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  put('00000000000\0', 136)
  put('        0', 148)
  put(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)])
}

const end = Buffer.alloc(1024)
const link = (name: string, linkname: string, type: 'symlink' | 'link') => ({
  header: { name, size: 0, type, linkname, mtime: new Date(0) },
})

/** Archives that programs write and every unpacker reads, although no tree looks like them. */
export const archives: Readonly<Record<string, () => Promise<Buffer>>> = {
  'an alias of a version, as a symbolic link': async () =>
    gzipSync(
      await packEntries(
        tarFile('index.html', page('Home', 'latest/', 'latest/a.html', '1.0/', 'copy.html')),
        tarFile('1.0/index.html', page('1.0', 'a.html')),
        tarFile('1.0/a.html', page('A')),
        link('latest', '1.0', 'symlink'),
        link('copy.html', '1.0/a.html', 'link'),
      ),
    ),
  'names that differ by case only': async () =>
    gzipSync(
      await packEntries(
        tarFile('index.html', page('Home', 'api/DBSCAN.html', 'api/dbscan.html', 'api/Dbscan')),
        tarFile('api/DBSCAN.html', page('The class')),
        tarFile('api/dbscan.html', page('The function')),
      ),
    ),
  'backslashes, as PowerShell writes them': async () =>
    packZip([
      { path: 'index.html', content: page('Home', 'tour/start.html', 'tour/') },
      { path: 'tour\\start.html', system: 0, content: page('Start') },
      { path: 'tour\\index.html', system: 0, content: page('Tour') },
    ]),
  'metadata of a Mac, in a ZIP': async () =>
    packZip([
      { path: 'index.html', content: page('Home', 'tour/') },
      { path: '__MACOSX/._index.html', content: '\0\x05\x16\x07' },
      { path: 'tour/index.html', content: page('Tour') },
      { path: '__MACOSX/tour/._index.html', content: '\0\x05\x16\x07' },
      { path: '.DS_Store', content: '\0\0\0\x01Bud1' },
    ]),
  'metadata of a Mac, in a tar': async () =>
    gzipSync(
      await packEntries(
        tarFile('./._index.html', '\0\x05\x16\x07'),
        tarFile('./index.html', page('Home', 'tour/')),
        tarFile('./tour/._index.html', '\0\x05\x16\x07'),
        tarFile('./tour/index.html', page('Tour')),
        tarFile('./.DS_Store', 'x'),
      ),
    ),
  'zeros after the compressed part': async () =>
    Buffer.concat([gzipSync(await packEntries(tarFile('index.html', page('Home')))), end]),
  'a tar without an end': async () => oldTarEntry(Buffer.from('index.html'), page('Home', 'gone')),
  'a line break after a ZIP': async () =>
    Buffer.concat([packZip([{ path: 'index.html', content: page('Home') }]), Buffer.from('\n')]),
  'a name in Latin-1': async () =>
    Buffer.concat([
      oldTarEntry(Buffer.from('index.html'), page('Home', 'gr%F6%DFe.html', 'gr%C3%B6%C3%9Fe.html')),
      oldTarEntry(Buffer.from('größe.html', 'latin1'), page('Size')),
      end,
    ]),
  'a name with a colon': async () =>
    gzipSync(
      await packEntries(tarFile('index.html', page('Home', './C:drive.html')), tarFile('C:drive.html', page('Drive'))),
    ),
}
