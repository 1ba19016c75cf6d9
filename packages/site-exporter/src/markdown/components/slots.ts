const attributeSlots = /^(icon|title|label|headline|caption|hint|tip|description|summary|cta)$/

/** True for a slot that stands for an attribute; the others belong to tabs. */
export const isSlotOfAttribute = (name: string): boolean => attributeSlots.test(name)
