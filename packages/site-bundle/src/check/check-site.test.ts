import { expect, test } from 'vitest'
import { breaks } from '#testing/planted-breaks.ts'
import { healthySite, leaks, page } from '#testing/planted-defects.ts'
import { checkContents, listAlarms } from '#testing/site.ts'

const check = async (files: Readonly<Record<string, string>>) =>
  (await checkContents({ ...healthySite, ...files })).report

test('a healthy site has no alarm and no note', async () => {
  const { findings } = await check({ 'planted/index.html': page('') })
  expect(findings.map(({ rule, target }) => `${rule} ${target}`)).toEqual([])
})

for (const { name, files, finds, twin } of [...leaks, ...breaks]) {
  test(`a planted defect is found, and nothing in the same site without it: ${name}`, async () => {
    const found = listAlarms((await check(files)).findings)
    expect(found).toContain(finds)
    // A request that also keeps the page blank is both.
    expect(found.filter((alarm) => alarm !== finds && !/^(blocked-page|outside-(style|script)) /.test(alarm))).toEqual(
      [],
    )
    expect(listAlarms((await check(twin)).findings)).toEqual([])
  })
}
