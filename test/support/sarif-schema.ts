/**
 * The part of the SARIF 2.1.0 schema (JSON Schema draft 4) that reports of andon use, strict as the whole one is: no
 * property that the standard does not know, the same required ones, the same words and bounds.
 */
const closed = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length === 0 ? {} : { required }),
});
const ref = (name: string): object => ({ $ref: `#/definitions/${name}` });
const listOf = (name: string, uniqueItems = false): object => ({
  type: 'array',
  minItems: 0,
  uniqueItems,
  items: ref(name),
});
const text = { type: 'string' };
const LEVEL = { enum: ['none', 'note', 'warning', 'error'] };

export const SARIF_SCHEMA = {
  $schema: 'http://json-schema.org/draft-04/schema#',
  ...closed({ $schema: { type: 'string', format: 'uri' }, version: { enum: ['2.1.0'] }, runs: listOf('run') }, [
    'version',
    'runs',
  ]),
  definitions: {
    run: closed(
      {
        tool: ref('tool'),
        columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
        invocations: listOf('invocation'),
        results: listOf('result'),
        properties: ref('propertyBag'),
      },
      ['tool'],
    ),
    tool: closed({ driver: ref('toolComponent') }, ['driver']),
    toolComponent: closed(
      { name: text, version: text, informationUri: text, rules: listOf('reportingDescriptor', true) },
      ['name'],
    ),
    reportingDescriptor: closed(
      {
        id: text,
        name: text,
        shortDescription: ref('multiformatMessageString'),
        fullDescription: ref('multiformatMessageString'),
        defaultConfiguration: closed({ enabled: { type: 'boolean' }, level: LEVEL, rank: { type: 'number' } }),
        helpUri: { type: 'string', format: 'uri' },
        properties: ref('propertyBag'),
      },
      ['id'],
    ),
    multiformatMessageString: closed({ text, markdown: text }, ['text']),
    message: closed({ text, markdown: text, id: text }, ['text']),
    invocation: closed(
      {
        executionSuccessful: { type: 'boolean' },
        exitCode: { type: 'integer' },
        toolExecutionNotifications: listOf('notification'),
        toolConfigurationNotifications: listOf('notification'),
      },
      ['executionSuccessful'],
    ),
    notification: closed({ message: ref('message'), level: LEVEL }, ['message']),
    result: closed(
      {
        ruleId: text,
        ruleIndex: { type: 'integer', minimum: -1 },
        kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
        level: LEVEL,
        message: ref('message'),
        locations: listOf('location'),
        partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
        suppressions: listOf('suppression', true),
        properties: ref('propertyBag'),
      },
      ['message'],
    ),
    location: closed({ physicalLocation: ref('physicalLocation') }),
    physicalLocation: closed({ artifactLocation: ref('artifactLocation'), region: ref('region') }),
    artifactLocation: closed({ uri: { type: 'string', format: 'uri-reference' }, uriBaseId: text }),
    region: closed({
      startLine: { type: 'integer', minimum: 1 },
      startColumn: { type: 'integer', minimum: 1 },
      endLine: { type: 'integer', minimum: 1 },
      endColumn: { type: 'integer', minimum: 1 },
      snippet: closed({ text }),
    }),
    suppression: closed(
      {
        kind: { enum: ['inSource', 'external'] },
        status: { enum: ['accepted', 'underReview', 'rejected'] },
        justification: text,
      },
      ['kind'],
    ),
    propertyBag: { type: 'object', additionalProperties: true },
  },
};
