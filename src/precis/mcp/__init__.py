"""precis for hosts of the Model Context Protocol: tools, resources and prompts over one person's memory."""
