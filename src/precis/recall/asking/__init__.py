"""What a question in a script without spaces is about, and which two things one for their order names."""
