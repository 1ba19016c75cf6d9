/** Result of a check: a start would fail, it works but should be changed, or it is in order. */
export type Finding = { level: 'wrong' | 'unwise' | 'fine'; text: string }

export const wrong = (text: string): Finding => ({ level: 'wrong', text })

export const unwise = (text: string): Finding => ({ level: 'unwise', text })

export const fine = (text: string): Finding => ({ level: 'fine', text })
