// What every server here declares: hooks on three events.
export const declarations = [
  { event: 'session_start', context: 'Hello from {project_name}.', priority: 'important' },
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash', input_contains: 'git commit' },
    context: 'What did you learn?',
    priority: 'suggestion',
  },
  {
    event: 'pre_request',
    context_tool: 'recall',
    context_tool_args: { deep: [1, { a: null }] },
    priority: 'required',
  },
];
