"""What is done to the assistant to break it, part by part."""
