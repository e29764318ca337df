"""Long work of any kind: workers, jobs, clusters."""
